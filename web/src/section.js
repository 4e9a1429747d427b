// A section, which folds: its text, facts, figures, Gantt chart and table, in this order.
import { el, idOf } from './dom.js';
import { figureElement } from './figure.js';
import { ganttsElement } from './gantt/gantts.js';
import { tableBlock } from './table_block.js';
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
    section.table ? tableBlock(section.table, section.other_tables ?? [], { jump }) : null];
  const fold = el('details', { class: 'fold', open }, el('summary', {}, el('h2', { id: heading }, section.title)), el('div', { class: 'fold-body' }, body.flat()));
  const element = el('section', { id: idOf('section', section.id), class: 'part', 'aria-labelledby': heading }, fold);
  return { title: section.title, element, fold, drawings: [...figures.map((figure) => figure.draw), ...(gantt ? [gantt.draw] : [])] };
}
