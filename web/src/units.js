// Seconds, bytes and rates in the unit a reader expects. Reports hold base units only.

/** @typedef {{size: number, name: string}} Unit */

const decimal = (base) => [
  { size: 1, name: base },
  { size: 1e3, name: `k${base}` },
  { size: 1e6, name: `M${base}` },
  { size: 1e9, name: `G${base}` },
  { size: 1e12, name: `T${base}` },
  { size: 1e15, name: `P${base}` },
];

const hours = [
  { size: 1, name: 's' },
  { size: 60, name: 'min' },
  { size: 3600, name: 'h' },
];

/** @type {Record<string, Unit[]>} */
const ladders = { s: hours, B: decimal('B'), 'B/s': decimal('B/s') };

/** The least value of a unit that is shown in it. */
const enough = 2;

/**
 * The unit in which values up to `largest` read well.
 * @param {string|undefined} base unit of the values
 * @param {number} largest
 * @param {boolean} [days] whether spans of days are shown in days (dates on an axis; not amounts of work)
 * @returns {Unit}
 */
export function unitFor(base, largest, days = false) {
  const ladder = ladders[base ?? ''];
  if (!ladder) return { size: 1, name: base ?? '' };
  const steps = days && base === 's' ? [...ladder, { size: 86400, name: 'd' }] : ladder;
  return [...steps].reverse().find((step) => Math.abs(largest) >= enough * step.size) ?? steps[0];
}

/** @param {Iterable<any>} values */
export function largestOf(values) {
  let largest = 0;
  for (const value of values) {
    if (typeof value === 'number' && Math.abs(value) > largest) largest = Math.abs(value);
  }
  return largest;
}

/** "makespan (h)" @param {string} title @param {string} unit */
export const titleWith = (title, unit) => (unit ? `${title} (${unit})` : title);
