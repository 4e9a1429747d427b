// Shows the report that stands in this file as JSON.
import { readReport, rankStrategies } from './document.js';
import { button, el, refill } from './dom.js';
import { figureElement, leads } from './figure.js';
import { Folding, contents } from './folding.js';
import { header } from './header.js';
import { licences } from './licences.js';
import { sectionElement } from './section.js';
import { themeButton } from './theme.js';

function footer(report) {
  return el('footer', {},
    el('p', {}, report.created_by ?? 'gridcast', report.command ? [': ', el('code', { dir: 'auto' }, report.command)] : null));
}

/** So few need no folding. */
const fewSections = 2;

/** @param {import('./document.js').Report} report */
async function show(report) {
  const ranking = rankStrategies(report);
  const jumps = [];
  const gantts = (report.sections ?? []).some((section) => section.gantt);
  const jump = gantts ? (job) => jumps.some((call) => call(job)) : undefined;
  const all = report.sections ?? [];
  const first = all[0]?.figures?.[0];
  const lead = leads(first) ? figureElement(first, ranking, true) : null;
  const sections = all.map((section, i) => sectionElement(section, { ranking, jump, jumps, lead: lead ? first : undefined, open: i === 0 || all.length <= fewSections }));
  const folding = new Folding(sections);
  document.title = report.title || 'gridcast export html';
  refill(document.getElementById('page'),
    el('a', { href: '#main', class: 'skip' }, 'To the answer'),
    el('header', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, report.kind ?? ''),
      button('Print', () => folding.print(), { class: 'quiet' }), themeButton()),
    sections.length > 1 ? contents(folding) : null,
    el('main', { id: 'main' }, header(report, lead?.element ?? null),
      sections.length === 0 ? el('p', { class: 'empty' }, 'This report has no sections.') : sections.map((section) => section.element),
      licences()),
    footer(report));
  if (lead) await lead.draw();
  return folding.drawOpen();
}

function start() {
  const { report, problem } = readReport(document.getElementById('gridcast-report')?.textContent ?? '');
  if (report) return show(report);
  refill(document.getElementById('page'), el('main', {}, el('h1', {}, 'No report'), el('p', { class: 'notice warning', role: 'alert' }, problem ?? '')));
  document.documentElement.dataset.drawn = 'none';
  return Promise.resolve();
}

start();
