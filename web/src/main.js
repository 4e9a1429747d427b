// Shows the report that stands in this file as JSON.
import { readReport, rankStrategies } from './document.js';
import { button, el, refill } from './dom.js';
import { header } from './header.js';
import { licences } from './licences.js';
import { sectionElement } from './section.js';
import { themeButton } from './theme.js';

/** Charts one after the other, so that the page can be read meanwhile. */
async function drawAll(drawings) {
  for (const draw of drawings) {
    await draw();
    await new Promise((resolve) => setTimeout(resolve));
  }
  document.documentElement.dataset.drawn = 'all';
}

function contents(sections) {
  return el('nav', { 'aria-label': 'Contents' },
    el('ol', {}, sections.map((section) => el('li', {}, el('a', { href: `#${section.element.id}` }, section.title)))));
}

function footer(report) {
  return el('footer', {},
    el('p', {}, report.created_by ?? 'gridcast', report.command ? [': ', el('code', { dir: 'auto' }, report.command)] : null));
}

/** @param {import('./document.js').Report} report */
function show(report) {
  const ranking = rankStrategies(report);
  const jumps = [];
  const gantts = (report.sections ?? []).some((section) => section.gantt);
  const jump = gantts ? (job) => jumps.some((call) => call(job)) : undefined;
  const sections = (report.sections ?? []).map((section) => sectionElement(section, { ranking, jump, jumps }));
  document.title = report.title || 'gridcast report';
  refill(document.getElementById('page'),
    el('a', { href: '#main', class: 'skip' }, 'To the answer'),
    el('div', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, report.kind ?? ''),
      button('Print', () => print(), { class: 'quiet' }), themeButton()),
    el('main', { id: 'main' }, header(report), sections.length > 1 ? contents(sections) : null,
      sections.length === 0 ? el('p', { class: 'empty' }, 'This report has no sections.') : sections.map((section) => section.element),
      licences()),
    footer(report));
  return drawAll(sections.flatMap((section) => section.drawings));
}

function start() {
  const { report, problem } = readReport(document.getElementById('gridcast-report')?.textContent ?? '');
  if (report) return show(report);
  refill(document.getElementById('page'), el('main', {}, el('h1', {}, 'No report'), el('p', { class: 'notice warning', role: 'alert' }, problem ?? '')));
  document.documentElement.dataset.drawn = 'none';
  return Promise.resolve();
}

start();
