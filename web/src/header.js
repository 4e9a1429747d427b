// The answer first, then the question and what the answer hangs on.
import { el } from './dom.js';

const isolated = (tag, texts, properties = {}) => texts.map((text) => el(tag, { dir: 'auto', ...properties }, text));

/** @param {import('./document.js').Report} report */
export function header(report) {
  const [first, ...others] = report.answer ?? [];
  return el('header', { class: 'head' },
    el('h1', { dir: 'auto' }, report.title || 'Report'),
    report.subtitle ? el('p', { class: 'subtitle', dir: 'auto' }, report.subtitle) : null,
    notices(report.notices ?? []),
    el('section', { class: 'answer', 'aria-label': 'Answer' },
      el('p', { class: 'first', dir: 'auto' }, first ?? 'This report has no answer in words; the sections below hold what is known.'),
      isolated('p', others)),
    el('div', { class: 'basis' }, question(report.question), assumptions(report.assumptions ?? [])));
}

function question(text) {
  return text ? el('section', {}, el('h2', {}, 'The question'), el('p', { dir: 'auto' }, text)) : null;
}

function assumptions(texts) {
  if (texts.length === 0) return null;
  return el('section', {}, el('h2', {}, 'It hangs on'), el('ul', {}, isolated('li', texts)));
}

/** @param {{level: string, text: string}[]} all */
function notices(all) {
  return all.map(({ level, text }) =>
    el('p', { class: level === 'warning' || level === 'error' ? 'notice warning' : 'notice', role: 'note', dir: 'auto' },
      level === 'warning' || level === 'error' ? el('strong', {}, 'Note: ') : null, text));
}
