// The owner's goal: by it strategies are ordered first. It is one more setting, study.goal, and goes along with the others.
import { el } from '../dom.js';

const path = 'study.goal';
const words = {
  successes: 'most jobs that finish', deadline: 'most likely done by a deadline', makespan: 'shortest time',
  'gpu-hours': 'fewest GPU hours for each finished job', cost: 'lowest cost for each finished job',
};
const units = ['h', 'd', 'min', 's'];

/** "deadline:2.5 h" as its kind, number and unit; null if it is no goal of these. @param {string} text */
export function goalIn(text) {
  const match = /^(?:(successes|makespan|gpu-hours|cost)|(deadline):\s*['"]?\s*([\d.]+(?:e\d+)?)\s*(s|min|h|d)\s*['"]?)$/.exec(text.trim());
  return match && !(Number(match[3]) <= 0) ? { kind: match[1] ?? match[2], number: match[3] ?? '', unit: match[4] ?? '' } : null;
}

/** @param {any[]} set */
export const withoutGoal = (set) => set.filter((each) => each.path !== path);

/**
 * @param {{goal: string, currency: string}} about the scenario's goal; a cost needs its prices
 * @param {() => void} changed @param {{path: string, value: string}[]} start values to begin with
 */
export function goalControl(about, changed, start) {
  const asked = start.find((each) => each.path === path)?.value;
  const first = goalIn(asked ?? '') ?? goalIn(about.goal) ?? { kind: about.goal.split(':')[0], number: '', unit: 'h' };
  const kinds = Object.keys(words).filter((kind) => kind !== 'cost' || about.currency || first.kind === 'cost');
  const kind = el('select', { id: 'goal', on: { change: () => noted() } }, kinds.map((each) => el('option', { value: each }, words[each])));
  const number = el('input', { type: 'number', id: 'goal-time', step: 'any', min: 0, 'aria-label': 'Deadline', on: { input: () => noted() } });
  const unit = el('select', { 'aria-label': 'Unit of the deadline', on: { change: () => noted() } }, units.map((each) => el('option', {}, each)));
  const problem = el('p', { class: 'field-problem', role: 'alert', id: 'goal-problem' });
  const time = el('span', { class: 'row' }, 'by ', number, unit);
  kind.value = first.kind;
  number.value = first.number || '1';
  unit.value = first.unit || 'd';
  const refused = () => kind.value === 'deadline' && !(Number(number.value) > 0);
  const read = () => (kind.value === 'deadline' ? `deadline:${Number(number.value)} ${unit.value}` : kind.value);
  const unasked = goalIn(about.goal);
  const same = () => (unasked ? JSON.stringify(goalIn(read())) === JSON.stringify({ ...unasked, number: unasked.number && String(Number(unasked.number)) }) : read() === about.goal);
  function show() {
    time.hidden = kind.value !== 'deadline';
    problem.textContent = refused() ? 'The deadline has to be a time above zero.' : '';
    number.toggleAttribute('aria-invalid', refused());
    if (refused()) number.setAttribute('aria-describedby', problem.id);
    else number.removeAttribute('aria-describedby');
  }
  function noted() {
    show();
    if (!refused()) changed();
  }
  show();
  return {
    element: el('div', { class: 'control' }, el('label', { for: kind.id, title: path }, 'Goal'), el('div', { class: 'row' }, kind, time), problem,
      el('p', { class: 'hint' }, 'Compare orders the strategies by it. With a deadline, the answer shows how likely it is met.')),
    refused,
    /** A value from a link that is no goal. */
    lost: () => (asked !== undefined && !goalIn(asked) ? [`${path}=${asked}`] : []),
    set: () => (refused() || same() ? [] : [{ path, value: read() }]),
  };
}
