// Numbers, spans and dates as text. No locale takes part: the same report reads the same everywhere.

/** @param {number} value @param {number} digits significant ones */
export function significant(value, digits) {
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude >= 15 || magnitude < -4) return value.toExponential(digits - 1);
  const places = Math.max(0, digits - 1 - magnitude);
  const text = value.toFixed(Math.min(places, 20));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** A number as it is in the data, shortened only where it runs on. @param {number} value */
export function plain(value) {
  const text = String(value);
  return text.length <= 9 ? text : significant(value, 6);
}

/** How many digits are told. */
const digits = 3;

/**
 * A cell: nothing is a dash, a count is whole, all else has three digits.
 * @param {any} value @param {import('./units.js').Unit} [unit]
 */
export function cellText(value, unit) {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') return Number.isInteger(value) && (unit?.size ?? 1) === 1 ? plain(value) : significant(value / (unit?.size ?? 1), digits);
  return String(value);
}

/** "2 d 3 h", "14 min 5 s", "0.25 s" @param {number} seconds */
export function span(seconds) {
  const sign = seconds < 0 ? '−' : '';
  const whole = Math.abs(seconds);
  if (whole < 60) return `${sign}${significant(whole, 3)} s`;
  const rounded = Math.round(whole);
  const parts = [
    [Math.floor(rounded / 86400), 'd'],
    [Math.floor(rounded / 3600) % 24, 'h'],
    [Math.floor(rounded / 60) % 60, 'min'],
    [rounded % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return sign + parts.slice(first, first + 2).filter(([amount]) => amount > 0).map((part) => part.join(' ')).join(' ');
}

/**
 * A moment: as a date where the day of time zero is known, else as a span since then.
 * @param {number} seconds @param {string|null|undefined} epoch
 */
export function moment(seconds, epoch) {
  const zero = epoch ? Date.parse(epoch) : NaN;
  const at = new Date(zero + seconds * 1000);
  if (Number.isNaN(at.getTime())) return span(seconds);
  return `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 19)} UTC`;
}
