// The page of gridcast open: what if, strategies side by side, lessons.
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

async function show() {
  const start = await get('start');
  const place = el('main', { id: 'main' });
  const picker = scenarioPicker(start, () => turnTo(current));
  let current = start.lesson ? 'lessons' : 'whatif';
  const tabs = Object.entries(titles).map(([view, title]) =>
    el('button', { type: 'button', role: 'tab', id: `tab-${view}`, on: { click: () => turnTo(view) } }, title));
  const choose = el('p', { class: 'choose' }, el('label', { for: 'scenario' }, 'Scenario'), picker);
  function turnTo(view, lesson) {
    views.compare.leave();
    if (view !== 'whatif') views.whatif.asking.cancel();
    current = view;
    tabs.forEach((tab) => tab.setAttribute('aria-selected', String(tab.id === `tab-${view}`)));
    choose.hidden = view === 'lessons';
    refill(place, views[view].element);
    return views[view].open(view === 'lessons' ? lesson : picker.value);
  }
  refill(document.getElementById('page'),
    el('a', { href: '#main', class: 'skip' }, 'To the answer'),
    el('header', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, start.folder), themeButton()),
    el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What to do' }, tabs), choose, place);
  document.getElementById('page').classList.add('open');
  document.title = 'gridcast: what if';
  await turnTo(current, start.lesson);
}

show().catch((error) => {
  refill(document.getElementById('page'), el('main', {}, el('h1', {}, 'gridcast does not answer'), el('p', { class: 'notice warning', role: 'alert' }, error.message)));
});
