// Numbers, spans and dates as text. No locale takes part: the same report reads the same everywhere.

/** All of the digits, zeros at the end too. @param {number} value @param {number} digits significant ones */
export function inDigits(value, digits) {
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (magnitude >= 15 || magnitude < -4) return value.toExponential(digits - 1);
  return value.toFixed(Math.min(Math.max(0, digits - 1 - magnitude), 20));
}

/** Without zeros at the end. @param {number} value @param {number} digits significant ones */
export function significant(value, digits) {
  const text = inDigits(value, digits);
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

/** A number of the data, unchanged, shortened only where it runs on. @param {number} value */
export function plain(value) {
  const text = String(value);
  return text.length <= 9 ? text : significant(value, 6);
}

/** Number of digits. */
const digits = 3;

/**
 * A cell: nothing is a dash, counts are whole, all else has three digits, like the rest of its column.
 * @param {any} value @param {{shownUnit: import('./units.js').Unit, whole: boolean}} [column]
 */
export function cellText(value, column) {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value !== 'number') return String(value);
  if (column ? column.whole : Number.isInteger(value)) return plain(value);
  return inDigits(value / (column?.shownUnit.size ?? 1), digits);
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
