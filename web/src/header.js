// The answer first, with its figure, and its problems, then the question and its assumptions,
// then further facts on the data.
import { el } from './dom.js';
import { together } from './together.js';

const isolated = (tag, texts, properties = {}) => texts.map((text) => el(tag, { dir: 'auto', ...properties }, together(text)));

/** Sentences of the answer besides the first, the outcomes of the recommended strategy and of the baseline: the rest can wait. */
const shownAtOnce = 2;

/** @param {import('./document.js').Report} report @param {HTMLElement|null} figure that stands beside the answer */
export function header(report, figure) {
  const [first, ...others] = report.answer ?? [];
  const all = report.notices ?? [];
  return el('header', { class: 'head' },
    el('h1', { dir: 'auto' }, report.title || 'Report'),
    report.subtitle ? el('p', { class: 'subtitle', dir: 'auto' }, report.subtitle) : null,
    el('section', { class: 'answer', 'aria-label': 'Answer' },
      el('p', { class: 'first', dir: 'auto' }, together(first ?? 'This report has no answer in words; the sections below have the figures.')),
      ...(figure ? [figure] : []),
      isolated('p', others.slice(0, shownAtOnce)),
      others.length > shownAtOnce ? el('details', {}, el('summary', {}, 'More in words'), isolated('p', others.slice(shownAtOnce))) : null),
    notices(all.filter(isWarning)),
    basis(report, all.filter((each) => !isWarning(each))));
}

/** The basis of the answer, folded: the answer comes first. */
function basis(report, notes) {
  const parts = [question(report.question), assumptions(report.assumptions ?? [])];
  if (parts.every((part) => part === null) && notes.length === 0) return null;
  return el('details', { class: 'rests' }, el('summary', {}, 'The question and the assumptions'), el('div', { class: 'basis' }, parts), notices(notes));
}

function question(text) {
  return text ? el('section', {}, el('h2', {}, 'The question'), el('p', { dir: 'auto' }, text)) : null;
}

function assumptions(texts) {
  if (texts.length === 0) return null;
  return el('section', {}, el('h2', {}, 'Assumptions'), el('ul', {}, isolated('li', texts)));
}

const isWarning = ({ level }) => level === 'warning' || level === 'error';

/** @param {{level: string, text: string}[]} all */
function notices(all) {
  return all.map((each) =>
    el('p', { class: isWarning(each) ? 'notice warning' : 'notice', role: 'note', dir: 'auto' },
      isWarning(each) ? el('strong', {}, 'Note: ') : null, together(each.text)));
}
