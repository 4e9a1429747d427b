// A section, which folds: its text, facts, figures, Gantt chart and table, in this order.
import { csvText } from './csv.js';
import { el, idOf, refill } from './dom.js';
import { downloadButton } from './download.js';
import { figureElement } from './figure.js';
import { ganttsElement } from './gantt/gantts.js';
import { picker } from './picks.js';
import { dataTable } from './table.js';
import { together } from './together.js';

function fact({ name, value }) {
  const text = String(value ?? '');
  const long = text.includes('\n');
  const shown = long ? el('pre', { dir: 'auto', tabindex: '0', role: 'region', 'aria-label': name }, text) : el('span', { dir: 'auto' }, text || '–');
  return el('div', { class: long ? 'fact long' : 'fact' }, el('dt', { dir: 'auto' }, name), el('dd', {}, shown));
}

function facts(list) {
  return list.length === 0 ? null : el('dl', { class: 'facts' }, list.map(fact));
}

function tableOf(table, jump) {
  const says = table.says ? el('p', { class: 'says' }, together(table.says)) : null;
  const body = table.rows.length === 0
    ? el('p', { class: 'empty' }, 'This table has no rows.')
    : [dataTable({ id: table.id, label: table.title, columns: table.columns, rows: table.rows, jump }),
      el('p', { class: 'files' }, downloadButton('Data (CSV)', table.title, `${idOf(table.id)}.csv`, 'text/csv', () => csvText(table.columns, table.rows)))];
  return el('div', {}, says, body);
}

/** A table, or that of the strategy that is picked; each is made at its first use. */
function tableBlock(first, others, jump) {
  const tables = new Map([first, ...others].map((table) => [table.strategy, { columns: first.columns, ...table }]));
  const made = new Map();
  const place = el('div', {});
  const show = (strategy) => {
    if (!made.has(strategy)) made.set(strategy, tableOf(tables.get(strategy), jump));
    refill(place, made.get(strategy));
  };
  show(first.strategy);
  const pick = others.length === 0 ? null
    : picker(idOf('pick', first.id), { field: 'strategy', title: 'strategy', values: [...tables.keys()] }, show);
  return el('div', { class: 'table-block' }, el('h3', {}, first.title), pick, place);
}

const isEmpty = (section) =>
  !(section.text?.length || section.figures?.length || section.facts?.length || section.gantt || section.table);

/**
 * @param {import('./document.js').Section} section
 * @param {{ranking: string[], open: boolean, lead?: any, jump?: (job: string) => void, jumps: ((job: string) => boolean)[]}} context lead: the figure that stands beside the answer
 * @returns {{title: string, element: HTMLElement, fold: HTMLDetailsElement, drawings: (() => void|Promise<void>)[]}}
 */
export function sectionElement(section, { ranking, open, lead, jump, jumps }) {
  const figures = (section.figures ?? []).filter((figure) => figure !== lead).map((figure) => figureElement(figure, ranking));
  const gantt = section.gantt ? ganttsElement(section.gantt, section.other_gantts ?? []) : null;
  if (gantt) jumps.push(gantt.jump);
  const heading = idOf('heading', section.id);
  const body = [(section.text ?? []).map((text) => el('p', { dir: 'auto' }, together(text))),
    isEmpty(section) ? el('p', { class: 'empty' }, 'There is nothing to show here: the data behind this report has none of it.') : null,
    facts(section.facts ?? []),
    figures.map((figure) => figure.element),
    gantt?.element,
    section.table ? tableBlock(section.table, section.other_tables ?? [], jump) : null];
  const fold = el('details', { class: 'fold', open }, el('summary', {}, el('h2', { id: heading }, section.title)), el('div', { class: 'fold-body' }, body.flat()));
  const element = el('section', { id: idOf('section', section.id), class: 'part', 'aria-labelledby': heading }, fold);
  return { title: section.title, element, fold, drawings: [...figures.map((figure) => figure.draw), ...(gantt ? [gantt.draw] : [])] };
}
