// The page of gridcast open: what if, strategies side by side, lessons. What is shown stands in the address
// (address.js), so that a reload, a link and the browser's Back go where they should.
import { el, refill } from '../dom.js';
import { themeButton } from '../theme.js';
import { hashOf, stateIn } from './address.js';
import { get, post } from './api.js';
import { Compare } from './compare.js';
import { Lessons } from '../lessons/lessons.js';
import { Running } from './running.js';
import { WhatIf } from './whatif.js';

const titles = { running: 'This campaign', whatif: 'What if', compare: 'Compare', lessons: 'Lessons' };

/** Lessons that the server simulates. */
const served = {
  lessons: () => get('lessons').then(({ lessons }) => lessons),
  async does(body) {
    const { exit, out, complaints } = await post('lesson', body);
    if (exit !== 0 && exit !== 4) throw new Error(complaints.trim());
    return JSON.parse(out);
  },
  page: (body) => post('lesson', body),
  solves: true,
};

function scenarioPicker(start, changed) {
  const names = [...new Set([start.scenario, ...start.scenarios, start.shipped].filter(Boolean))];
  const select = el('select', { id: 'scenario', on: { change: () => changed() } }, names.map((each) => el('option', { value: each }, each)));
  return select;
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
  const said = el('div', { class: 'said-of-link' });
  const nothing = { strategy: '', set: [], pins: [], changes: [], against: '', metric: '', first: '', second: '', replica: '' };
  /** Parts of a link that are not here. */
  let missing = { link: [], values: [] };
  function warn(part) {
    missing = { ...missing, ...part };
    refill(said, ...[...missing.link, ...missing.values].map((text) => el('p', { class: 'notice warning', role: 'alert' }, text)));
  }
  let state; // what is shown, as the address need not name it
  const picker = scenarioPicker(start, () => {
    const next = { ...state, ...nothing, scenario: picker.value };
    history.pushState(null, '', hashOf(next)); // Back shows the scenario before, with its settings and pins
    turnTo(next);
  });
  const write = () => history.replaceState(null, '', hashOf(state));
  const note = (part) => { state = { ...state, ...part }; write(); };
  const views = {
    whatif: new WhatIf(note, (values) => warn({ values })),
    compare: new Compare(note, (values) => warn({ values })),
    lessons: new Lessons(served),
    ...(start.running ? { running: new Running(start.running, note) } : {}),
  };
  const tabs = Object.entries(titles).filter(([view]) => views[view]).map(([view, title]) =>
    el('button', { type: 'button', role: 'tab', id: `tab-${view}`, on: { click: () => goTo(view), keydown: alongTabs } }, title));
  const choose = el('p', { class: 'choose' }, el('label', { for: 'scenario' }, 'Scenario'), picker);
  function turnTo(named) {
    if (named.scenario) picker.value = named.scenario;
    const known = picker.value === named.scenario; // a link may name a scenario that is not here
    if (!known) picker.selectedIndex = Math.max(0, [...picker.options].findIndex((each) => each.value === (state?.scenario ?? '')));
    state = { ...(known || !named.scenario ? named : { ...named, ...nothing }), scenario: picker.value };
    const { lesson } = state;
    const view = views[state.view] ? state.view : 'whatif';
    const shown = [
      !known && named.scenario && view !== 'lessons' && view !== 'running' ? `The link is to the scenario ${named.scenario}, which is not here. This is ${picker.value}, without the values of the link.` : '',
      view !== state.view ? 'The link is to a running campaign, but gridcast open was not started with its log.' : '',
    ];
    warn({ link: shown.filter(Boolean), values: [] });
    views.compare.leave();
    if (view !== 'whatif') views.whatif.leave();
    tabs.forEach((tab) => tab.setAttribute('aria-selected', String(tab.id === `tab-${view}`)));
    choose.hidden = view === 'lessons' || view === 'running';
    document.title = `gridcast: ${titles[view].toLowerCase()}`;
    refill(place, views[view].element);
    if (view === 'compare') write();
    return view === 'lessons' ? views.lessons.open(lesson) : views[view].open(picker.value, state);
  }
  /**
   * Settings go along from What if to Compare and back. The view changes at once: an answer that arrives before a
   * hashchange event would write the address of the old view, and the click would be lost.
   */
  async function goTo(view) {
    const next = { ...state, view, lesson: undefined };
    if (location.hash !== hashOf(next)) history.pushState(null, '', hashOf(next));
    await turnTo(next);
    readOn(place);
  }
  addEventListener('hashchange', async () => {
    const named = stateIn(location.hash);
    // An address that changed while the page came is shown then, and reported again here.
    if (!named || hashOf({ ...named, scenario: named.scenario || picker.value }) === hashOf(state)) return;
    await turnTo(named);
    readOn(place);
  });
  const skip = (event) => { event.preventDefault(); place.focus(); };
  refill(document.getElementById('page'),
    el('a', { href: '#main', class: 'skip', on: { click: skip } }, 'To the answer'),
    el('header', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, start.folder), themeButton()),
    el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' }, tabs), choose, said, place);
  document.getElementById('page').classList.add('open');
  const first = { ...nothing, ...start.first, view: 'whatif', scenario: start.first?.set.length || start.first?.strategy ? start.scenario : '' };
  if (!stateIn(location.hash)) history.replaceState(null, '', start.lesson ? `#lesson-${start.lesson}` : start.running ? '#running' : hashOf(first));
  await turnTo(stateIn(location.hash));
}

show().catch((error) => {
  refill(document.getElementById('page'), el('main', {}, el('h1', {}, 'gridcast does not answer'), el('p', { class: 'notice warning', role: 'alert' }, error.message)));
});
