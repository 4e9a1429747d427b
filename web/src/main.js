// Shows the report that stands in this file as JSON: the pages for a committee, then the appendix.
import { briefElement, citation, notices } from './brief.js';
import { readReport, rankStrategies } from './document.js';
import { button, el, refill } from './dom.js';
import { leads } from './figure.js';
import { Folding, contents } from './folding.js';
import { licences } from './licences.js';
import { sectionElement } from './section.js';
import { tableBlock } from './table_block.js';
import { themeButton } from './theme.js';

function footer(report) {
  return el('footer', {},
    el('p', {}, report.created_by ?? 'gridcast', report.command ? [': ', el('code', { dir: 'auto' }, report.command)] : null));
}

/** So few need no folding. */
const fewSections = 2;

/** The first pages: of each scenario a brief. */
function head(report, briefs) {
  const several = briefs.length > 1;
  const title = several ? `${briefs.length} scenarios` : report.title || 'Report';
  return el('header', { class: 'head' },
    el('h1', { dir: 'auto' }, title),
    report.subtitle ? el('p', { class: 'subtitle', dir: 'auto' }, report.subtitle) : null,
    report.overview ? tableBlock(report.overview, [], { sorted: false }) : null,
    briefs.map((brief) => brief.element),
    notices(report.notices ?? [], true),
    citation(report.cite));
}

function briefsOf(report, ranking, lead) {
  const others = report.others ?? [];
  const heading = (brief) => (others.length > 0 ? brief.title || 'Report' : null);
  return [briefElement(report, ranking, { lead, heading: heading(report) }), ...others.map((brief) => briefElement(brief, ranking, { heading: heading(brief) }))];
}

/** @param {import('./document.js').Report} report */
async function show(report) {
  const ranking = rankStrategies(report);
  const jumps = [];
  const all = report.sections ?? [];
  const jump = all.some((section) => section.gantt) ? (job) => jumps.some((call) => call(job)) : undefined;
  const first = all[0]?.figures?.[0];
  const lead = !report.figure && leads(first) ? first : null;
  const briefs = briefsOf(report, ranking, lead);
  const sections = all.map((section) => sectionElement(section, { ranking, jump, jumps, lead, open: all.length <= fewSections }));
  const folding = new Folding(sections, briefs.map((brief) => brief.draw));
  document.title = report.title || 'gridcast export html';
  refill(document.getElementById('page'),
    el('a', { href: '#main', class: 'skip' }, 'To the answer'),
    el('header', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, report.kind === 'prediction' ? 'forecast' : report.kind ?? ''),
      button('Print', () => folding.print(false), { class: 'quiet', title: 'Without the appendix' }),
      button('Print all', () => folding.print(true), { class: 'quiet', title: 'With the appendix' }), themeButton()),
    sections.length > 1 ? contents(folding) : null,
    el('main', { id: 'main' }, head(report, briefs),
      el('div', { class: 'appendix' },
        el('h2', { class: 'appendix-title' }, 'Appendix'),
        notices(report.notices ?? [], false),
        sections.length === 0 ? el('p', { class: 'empty' }, 'This report has no sections.') : sections.map((section) => section.element),
        licences())),
    footer(report));
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
