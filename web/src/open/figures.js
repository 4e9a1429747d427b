// An answer in words and in a table: each figure with its interval, and how it differs from the last.
import { el } from '../dom.js';
import { significant, span } from '../format.js';
import { largestOf, unitFor } from '../units.js';
import { paired } from './paired.js';
import { endings, intervals } from './plots.js';

/** A value as people write it. @param {number|null} value @param {string} unit */
export function valueText(value, unit) {
  if (value === null || value === undefined) return '–';
  if (unit === 's') return onOneLine(span(value));
  if (unit === 'share') return onOneLine(`${significant(100 * value, 3)} %`);
  return significant(value, 3);
}

/** A number and its unit stay together. */
const onOneLine = (text) => text.replaceAll(' ', '\u00a0');

const signed = (value, unit) => `${value > 0 ? '+' : ''}${valueText(value, unit).replace('-', '−')}`;

/** "−3 h (−4 h to −2 h); less in 82 % of 1000" */
export function differenceText(difference, unit) {
  if (!difference) return '';
  const range = difference.low === null ? '' : ` (${signed(difference.low, unit)} to ${signed(difference.high, unit)})`;
  return `${signed(difference.mean, unit)}${range}; less in ${valueText(difference.less, 'share')}, more in ${valueText(difference.more, 'share')} of ${difference.n}`;
}

export function sentence(answer) {
  const end = answer.figures.makespan_s;
  const done = answer.figures.succeeded;
  const jobs = `${valueText(done.p50, '')} of ${answer.jobs} jobs succeed in the median campaign.`;
  if (end.p50 === null) return jobs;
  return `Ends after ${valueText(end.p05, 's')} to ${valueText(end.p95, 's')} in nine of ten campaigns, ${valueText(end.p50, 's')} in the median; ${jobs}`;
}

/** Where there is room for a line. */
export function inShort(answer, last) {
  const [end, done] = [answer.figures.makespan_s, answer.figures.succeeded];
  const first = end.p50 === null ? '' : `Median: ends after ${valueText(end.p50, 's')}, `;
  const difference = last ? paired(answer, last, 'makespan_s') : null;
  return `${first}${valueText(done.p50, '')} of ${answer.jobs} succeed${difference ? `; ${signed(difference.mean, 's')} to the last` : ''}`;
}

function row(figure, answer, last) {
  const [now, before] = [answer.figures[figure.name], last?.figures[figure.name]];
  const range = (each) => `${valueText(each.p50, figure.unit)} (${valueText(each.p05, figure.unit)} to ${valueText(each.p95, figure.unit)})`;
  return el('tr', {},
    el('th', { scope: 'row', title: figure.definition }, figure.label),
    el('td', {}, el('div', {}, range(now)), before ? el('div', { class: 'note' }, `last: ${range(before)}`) : null),
    el('td', { class: 'mark' }, intervals(now, before, `${figure.label}: ${range(now)}`)),
    el('td', {}, last ? differenceText(paired(answer, last, figure.name), figure.unit) : ''));
}

/** @param {any[]} figures @param {any} answer @param {any} last */
export function answerElement(figures, answer, last) {
  const ends = answer.values.makespan_s ?? [];
  const unit = unitFor('s', largestOf([...ends, ...(last?.values.makespan_s ?? [])]), true);
  return el('div', { class: 'grown' },
    el('p', { class: 'first' }, sentence(answer)),
    el('p', { class: 'note' }, el('span', { class: 'key' }), 'now ', last ? [el('span', { class: 'key last' }), 'the last answer, with the same random numbers'] : null),
    endings(ends, last?.values.makespan_s ?? null, unit),
    el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Figures' },
      el('table', { class: 'figures-now' },
        el('thead', {}, el('tr', {}, ['Figure', 'Median (9 of 10 campaigns)', '', last ? 'Difference to the last, in pairs' : ''].map((text) => el('th', { scope: 'col' }, text)))),
        el('tbody', {}, figures.map((figure) => row(figure, answer, last))))));
}
