// The page of gridcast open: what if, strategies side by side, lessons. Which of them is shown, and which
// lesson, stands in the address behind #, so that a reload and the browser's Back go where they should.
import { el, refill } from '../dom.js';
import { themeButton } from '../theme.js';
import { get } from './api.js';
import { Compare } from './compare.js';
import { Lessons } from './lessons.js';
import { WhatIf } from './whatif.js';

const views = { whatif: new WhatIf(), compare: new Compare(), lessons: new Lessons() };
const titles = { whatif: 'What if', compare: 'Compare', lessons: 'Lessons' };

function scenarioPicker(start, changed) {
  const names = [...new Set([start.scenario, ...start.scenarios, start.shipped].filter(Boolean))];
  const select = el('select', { id: 'scenario', on: { change: () => changed() } }, names.map((each) => el('option', { value: each }, each)));
  return select;
}

/** @returns {{view: string, lesson?: number}|null} */
function namedBy(hash) {
  const lesson = /^#lesson-(\d+)$/.exec(hash);
  if (lesson) return { view: 'lessons', lesson: Number(lesson[1]) };
  return Object.hasOwn(views, hash.slice(1)) ? { view: hash.slice(1) } : null;
}

/** After a pressed element is gone, reading goes on at the top of its replacement. */
function readOn(place) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const heading = place.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: 'instant' });
}

/** Arrow keys go from tab to tab. @param {KeyboardEvent} event */
function alongTabs(event) {
  const step = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' }[event.key];
  event.currentTarget[step]?.focus();
}

async function show() {
  const start = await get('start');
  const place = el('main', { id: 'main', tabindex: '-1' });
  let shown; // the shown view, as the address need not name one
  const picker = scenarioPicker(start, () => turnTo(shown));
  const tabs = Object.entries(titles).map(([view, title]) =>
    el('button', { type: 'button', role: 'tab', id: `tab-${view}`, on: { click: () => goTo(view), keydown: alongTabs } }, title));
  const choose = el('p', { class: 'choose' }, el('label', { for: 'scenario' }, 'Scenario'), picker);
  function turnTo(named) {
    shown = named;
    const { view, lesson } = named;
    views.compare.leave();
    if (view !== 'whatif') views.whatif.leave();
    tabs.forEach((tab) => tab.setAttribute('aria-selected', String(tab.id === `tab-${view}`)));
    choose.hidden = view === 'lessons';
    document.title = `gridcast: ${titles[view].toLowerCase()}`;
    refill(place, views[view].element);
    return views[view].open(view === 'lessons' ? lesson : picker.value);
  }
  function goTo(view) {
    if (location.hash === `#${view}`) turnTo({ view });
    else location.hash = view;
  }
  addEventListener('hashchange', async () => {
    const named = namedBy(location.hash);
    // An address that changed while the page came is shown then, and reported again here.
    if (!named || (named.view === shown.view && named.lesson === shown.lesson)) return;
    await turnTo(named);
    readOn(place);
  });
  const skip = (event) => { event.preventDefault(); place.focus(); };
  refill(document.getElementById('page'),
    el('a', { href: '#main', class: 'skip', on: { click: skip } }, 'To the answer'),
    el('header', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, start.folder), themeButton()),
    el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' }, tabs), choose, place);
  document.getElementById('page').classList.add('open');
  if (!namedBy(location.hash)) history.replaceState(null, '', start.lesson ? `#lesson-${start.lesson}` : '#whatif');
  await turnTo(namedBy(location.hash));
}

show().catch((error) => {
  refill(document.getElementById('page'), el('main', {}, el('h1', {}, 'gridcast does not answer'), el('p', { class: 'notice warning', role: 'alert' }, error.message)));
});
