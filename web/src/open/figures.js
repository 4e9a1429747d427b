// An answer in words and in a table: each figure with its range, and how it differs from another answer.
import { el } from '../dom.js';
import { significant, span } from '../format.js';
import { largestOf, unitFor } from '../units.js';
import { amount, paired } from './paired.js';
import { endings, intervals } from './plots.js';

/** A value as people write it. @param {number|'never'|null} value @param {string} unit */
export function valueText(value, unit) {
  const number = amount(value);
  if (number === null) return '–';
  if (number === Infinity) return 'never';
  if (unit === 's') return onOneLine(span(number));
  if (unit === 'share') return onOneLine(`${significant(100 * number, 3)} %`);
  return significant(number, 3);
}

/** A number and its unit stay together. */
const onOneLine = (text) => text.replaceAll(' ', '\u00a0');

/** A difference: "+3 h"; that between a time and never in words. @param {number} value @param {string} unit */
export function signed(value, unit) {
  if (value === Infinity) return 'finishes only there';
  if (value === -Infinity) return 'finishes only here';
  return value === 0 ? 'no difference' : `${value > 0 ? '+' : ''}${valueText(value, unit).replace('-', '−')}`;
}

/** "−3 h (1000 pairs, nine of ten from −9 h to +1 h); less in 82 %, more in 18 %" */
export function differenceText(difference, unit) {
  if (!difference) return '';
  const { middle, low, high, n, less, more } = difference;
  const range = low === high ? `all ${n} pairs` : `${n} pairs, nine of ten from “${signed(low, unit)}” to “${signed(high, unit)}”`;
  return `${signed(middle, unit)} (${range}); less in ${valueText(less, 'share')}, more in ${valueText(more, 'share')}`;
}

/** Where there is room for a line. */
export function inShort(answer, other) {
  const difference = other ? paired(answer, other.answer, 'makespan_s') : null;
  return `Medians: ${answer.short}${difference ? `; time ${signed(difference.middle, 's')} against ${other.name}` : ''}`;
}

export const rangeText = (each, unit) => `${valueText(each.p50, unit)} (${valueText(each.p05, unit)} to ${valueText(each.p95, unit)})`;

function row(figure, answer, other) {
  const [now, before] = [answer.figures[figure.name], other?.answer.figures[figure.name]];
  return el('tr', {},
    el('th', { scope: 'row', title: figure.definition }, figure.label),
    el('td', {}, el('div', {}, rangeText(now, figure.unit)), before ? el('div', { class: 'note' }, `${other.name}: ${rangeText(before, figure.unit)}`) : null),
    el('td', { class: 'mark' }, intervals(now, before, `${figure.label}: ${rangeText(now, figure.unit)}`)),
    el('td', {}, other ? differenceText(paired(answer, other.answer, figure.name), figure.unit) : ''));
}

/** The share of the campaigns with dates that are done by a time. */
function shareBy(answer, time) {
  const known = answer.values.makespan_s.map(amount).filter((each) => each !== null);
  return known.filter((each) => each <= time).length / (known.length || 1);
}

/** How likely the deadline of the goal is met, here and in the other answer. */
function deadlineElement({ deadline, deadline_s: time }, other) {
  if (!deadline) return null;
  return el('p', { class: 'first' }, deadline, other ? ` (${other.name}: ${valueText(shareBy(other.answer, time), 'share')})` : '');
}

/** @param {any[]} figures @param {any} answer @param {{name: string, answer: any}|null} other */
export function answerElement(figures, answer, other) {
  const times = (each) => (each?.values.makespan_s ?? []).map(amount);
  const [ends, before] = [times(answer), other ? times(other.answer) : null];
  const unit = unitFor('s', largestOf([...ends, ...(before ?? [])].filter(Number.isFinite)), true);
  return el('div', { class: 'grown' },
    el('p', { class: 'first' }, `${answer.sentence}.`),
    deadlineElement(answer, other),
    el('p', { class: 'note' }, el('span', { class: 'key' }), 'now ', other ? [el('span', { class: 'key last' }), `${other.name}, with the same random numbers`] : null),
    endings(ends, before, unit, `${answer.wanted} of ${answer.jobs} jobs`, answer.deadline_s),
    el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Figures' },
      el('table', { class: 'figures-now' },
        el('thead', {}, el('tr', {}, ['Figure', 'Median (9 of 10 campaigns)', '', other ? `Median difference to ${other.name}` : ''].map((text) => el('th', { scope: 'col' }, text)))),
        el('tbody', {}, figures.map((figure) => row(figure, answer, other))))));
}
