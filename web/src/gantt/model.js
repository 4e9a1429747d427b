// The bars of a Gantt chart, by rows, and the part of them in sight. Times are seconds since time zero.

/** @typedef {{start: number, end: number, phase: number, job: number, lane: number, reason: number}} Bar */
/** @typedef {{label: string, bars: Bar[]}} Row */
/** @typedef {{t0: number, t1: number, top: number, rows: number}} Window part in sight: times, first row, number of rows */

/** @param {any[][]} bars @returns {Bar[]} */
export const barsOf = (bars) =>
  bars.map(([start, end, phase, job, lane, reason]) => ({ start, end: Math.max(start, end ?? start), phase, job, lane: lane ?? -1, reason: reason ?? -1 }));

/**
 * Rows by slot or by job; within a row the bars are in the order of time.
 * @param {any} gantt @param {Bar[]} bars @param {'lane'|'job'} by
 * @returns {Row[]}
 */
export function rowsBy(gantt, bars, by) {
  const lanes = by === 'lane' ? gantt.lanes ?? [] : gantt.job_lanes ?? [];
  const rows = lanes.map((lane) => ({ label: String(lane.label), group: lane.group ?? '', bars: [] }));
  const at = new Map(lanes.map((lane, i) => [lane.id, i]));
  for (const bar of bars) {
    const row = at.get(bar[by]);
    if (row !== undefined) rows[row].bars.push(bar);
  }
  for (const row of rows) row.bars.sort((a, b) => a.start - b.start || a.end - b.end);
  return rows;
}

/** @param {Bar[]} bars @returns {[number, number]} */
export function extent(bars) {
  let first = Infinity;
  let last = -Infinity;
  for (const bar of bars) {
    if (bar.start < first) first = bar.start;
    if (bar.end > last) last = bar.end;
  }
  if (!(last > first)) return [Number.isFinite(first) ? first : 0, (Number.isFinite(first) ? first : 0) + 1];
  return [first, last];
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** Keeps a window inside the chart. @param {Window} win @param {{t0: number, t1: number, rows: number}} bounds @returns {Window} */
export function kept(win, bounds) {
  const whole = bounds.t1 - bounds.t0;
  const width = clamp(win.t1 - win.t0, Math.min(whole, whole / 1e5), whole);
  const t0 = clamp(win.t0, bounds.t0, bounds.t1 - width);
  const rows = clamp(win.rows, Math.min(4, bounds.rows), bounds.rows);
  return { t0, t1: t0 + width, top: clamp(win.top, 0, bounds.rows - rows), rows };
}

/** Time wider or narrower, with `at` staying where it is. @param {Window} win */
export function zoomed(win, factor, at) {
  return { ...win, t0: at - (at - win.t0) / factor, t1: at + (win.t1 - at) / factor };
}

/** @param {Window} win @param {number} part of the time in sight @param {number} rows */
export function panned(win, part, rows) {
  const time = part * (win.t1 - win.t0);
  return { ...win, t0: win.t0 + time, t1: win.t1 + time, top: win.top + rows };
}

/** Index of the first bar that may reach into the window. @param {Bar[]} bars @param {number} t */
export function firstAt(bars, t) {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars[middle].start < t) low = middle + 1;
    else high = middle;
  }
  // Bars of one row may overlap by a little where two attempts meet; look back as far as they reach.
  while (low > 0 && bars[low - 1].end > t) low -= 1;
  return low;
}

/** The bar at a time, else the nearest one that is not farther than `slack`. @param {Row} row */
export function barAt(row, t, slack) {
  let best = null;
  let nearest = slack;
  for (let i = Math.max(0, firstAt(row.bars, t - slack) - 1); i < row.bars.length && row.bars[i].start <= t + slack; i += 1) {
    const bar = row.bars[i];
    const distance = t < bar.start ? bar.start - t : t > bar.end ? t - bar.end : 0;
    if (distance <= nearest) {
      nearest = distance;
      best = bar;
    }
  }
  return best;
}

/** A window onto all of one row's bars. @param {Row[]} rows @param {number} index @param {Window} win */
export function ontoRow(rows, index, win) {
  const [t0, t1] = extent(rows[index].bars);
  const margin = 0.05 * (t1 - t0);
  return { ...win, t0: t0 - margin, t1: t1 + margin, top: index - win.rows / 2 };
}

/** Steps of an axis of time that are round for a reader. */
const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 31536000];

/** @param {number} t0 @param {number} t1 @param {number} most */
export function ticks(t0, t1, most) {
  const step = steps.find((each) => (t1 - t0) / each <= most) ?? (t1 - t0) / most;
  const fine = t1 - t0 < 1 ? (t1 - t0) / Math.max(1, most) : step;
  const first = Math.ceil(t0 / fine);
  return Array.from({ length: Math.max(0, Math.floor(t1 / fine) - first + 1) }, (_, i) => (first + i) * fine);
}
