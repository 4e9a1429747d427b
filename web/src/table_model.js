// Filter, sort and page of a table, on indexes of its rows.

/** @param {any} a @param {any} b nothing comes last, whichever way the column is sorted */
function compare(a, b, direction) {
  const none = (value) => value === null || value === undefined || value === '';
  if (none(a) || none(b)) return Number(none(a)) - Number(none(b));
  const [x, y] = [a, b].map((value) => (value === 'never' ? Number.MAX_VALUE : value));
  if (typeof x === 'number' && typeof y === 'number') return direction * (x - y);
  return direction * collator.compare(String(a), String(b));
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The rows that contain every word, in any column.
 * @param {any[][]} rows @param {string} query
 * @returns {number[]} indexes
 */
export function filterRows(rows, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const indexes = rows.map((_, i) => i);
  if (words.length === 0) return indexes;
  return indexes.filter((i) => {
    const text = rows[i].map((value) => String(value ?? '').toLowerCase()).join('\n');
    return words.every((word) => text.includes(word));
  });
}

/**
 * @param {any[][]} rows @param {number[]} indexes @param {{column: number, direction: 1|-1}|null} order
 */
export function sortRows(rows, indexes, order) {
  if (!order) return indexes;
  return [...indexes].sort(
    (a, b) => compare(rows[a][order.column], rows[b][order.column], order.direction) || a - b,
  );
}

/** @param {number[]} indexes @param {number} page @param {number} size */
export function pageOf(indexes, page, size) {
  const pages = Math.max(1, Math.ceil(indexes.length / size));
  const at = Math.min(Math.max(0, page), pages - 1);
  return { page: at, pages, first: at * size, shown: indexes.slice(at * size, (at + 1) * size) };
}

/** The order after a click on a column's head: up, down, as given. */
export function nextOrder(order, column, numeric) {
  const first = numeric ? -1 : 1;
  if (!order || order.column !== column) return { column, direction: first };
  return order.direction === first ? { column, direction: -first } : null;
}
