// What a committee reads: the question, the recommendation with its deadline, one figure, the options in
// words, the evidence and the limits. It takes two printed pages; all else is the appendix.
import { el, idOf } from './dom.js';
import { figureElement } from './figure.js';
import { tableBlock } from './table_block.js';
import { together } from './together.js';

/** @typedef {{title?: string, question?: string|null, answer?: string[], recommendation?: string, deadline?: string, figure?: any, options?: any, evidence?: string[], assumptions?: string[]}} Brief */

const isolated = (tag, texts, properties = {}) => texts.map((text) => el(tag, { dir: 'auto', ...properties }, together(text)));

const list = (title, texts) => (texts?.length ? el('section', {}, el('h3', {}, title), el('ul', {}, isolated('li', texts))) : null);

/** The first sentence, the deadline, and the figure beside them. */
function answer(brief, figure) {
  const [first, ...others] = brief.answer ?? [];
  return el('section', { class: 'answer', 'aria-label': 'Answer' },
    el('p', { class: 'first', dir: 'auto' }, together(first ?? 'This report has no answer in words; the sections below have the figures.')),
    brief.deadline ? el('p', { class: 'deadline', dir: 'auto' }, together(brief.deadline)) : null,
    brief.recommendation ? el('p', { class: 'recommendation', dir: 'auto' }, el('strong', {}, 'Recommendation: '), together(brief.recommendation)) : null,
    figure ? figure.element : null,
    isolated('p', others, { class: brief.options ? 'detail' : null }));
}

/**
 * @param {Brief} brief @param {string[]} ranking strategies, best first
 * @param {{heading?: string|null, lead?: any}} [options] heading: of one scenario among several; lead: a figure of the appendix, for a brief without one
 * @returns {{element: HTMLElement, draw: () => void|Promise<void>}}
 */
export function briefElement(brief, ranking, { heading = null, lead = null } = {}) {
  const drawn = brief.figure ?? lead;
  const figure = drawn ? figureElement(drawn, ranking, true) : null;
  const element = el('section', { class: 'brief' },
    heading ? el('h2', { dir: 'auto' }, heading) : null,
    brief.question ? el('p', { class: 'question', dir: 'auto' }, el('strong', {}, 'Question: '), together(brief.question)) : null,
    answer(brief, figure),
    brief.options ? tableBlock(brief.options, [], { sorted: false }) : null,
    el('div', { class: 'basis' }, list('Evidence', brief.evidence), list('Limits', brief.assumptions)));
  return { element, draw: () => figure?.draw() };
}

const isWarning = ({ level }) => level === 'warning' || level === 'error';

/** @param {{level: string, text: string}[]} all */
export function notices(all, warnings) {
  return all.filter((each) => isWarning(each) === warnings).map((each) =>
    el('p', { class: warnings ? 'notice warning' : 'notice', role: 'note', dir: 'auto' },
      warnings ? el('strong', {}, 'Note: ') : null, together(each.text)));
}

/** @param {string[]} [texts] */
export const citation = (texts) => (texts?.length ? el('section', { class: 'cite', id: idOf('cite') }, el('h3', {}, 'How to cite'), isolated('p', texts)) : null);
