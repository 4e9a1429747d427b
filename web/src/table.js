// A table of any length: sorted by its heads, filtered by words, shown in pages.
import { button, el, idOf, name, refill } from './dom.js';
import { cellText } from './format.js';
import { filterRows, nextOrder, pageOf, sortRows } from './table_model.js';
import { together } from './together.js';
import { largestOf, titleWith, unitFor } from './units.js';

const pageSize = 25;
const printSize = 200;
const filterFrom = 8; // rows

/** @typedef {{name: string, title?: string, unit?: string, type?: string, link?: string, days?: boolean}} Column */

/** A time that never comes is a number too. */
const isNumber = (value) => typeof value === 'number' || value === 'never';

/** @param {Column} column @param {any[]} values */
const isNumeric = (column, values) => (column.type ?? 'number') === 'number' && values.every((v) => isNumber(v) || v === null || v === undefined);

/** So many are made small, on paper more so. */
const sizes = [[12, 'many'], [8, 'several']];
const sizeOf = (columns) => sizes.find(([most]) => columns > most)?.[1] ?? null;

const longHead = 24; // characters: such a head gets some width

/** Names stand on one line, sentences are broken. */
const shortText = 32; // characters
const longest = (values) => Math.max(0, ...values.map((v) => (v === null || v === undefined ? 0 : String(v).length)));
const narrowText = 12; // characters, beside which longer names are given room

/**
 * Where the ends of a column's interval stand, to be shown with it: 5 % and 95 % of a column of medians,
 * "95 % interval, low" and "high" of that before them.
 */
function rangeOf(columns, at) {
  const { name, title } = columns[at];
  if (name.endsWith('_p50')) {
    const places = ['p05', 'p95'].map((q) => columns.findIndex((each) => each.name === name.replace(/p50$/, q)));
    return places.includes(-1) ? null : { places, title: (title || name).replace(/, median$/, ''), what: ', median (5 to 95 %)' };
  }
  const ends = [columns[at + 1], columns[at + 2]].map((each) => /^(\d+ % interval), (low|high)$/.exec(each?.title ?? ''));
  if (ends[0]?.[2] !== 'low' || ends[1]?.[2] !== 'high') return null;
  return { places: [at + 1, at + 2], title: title || name, what: `, with its ${ends[0][1]}` };
}

/** The table's data on each column. @param {Column[]} columns @param {any[][]} rows @param {boolean} raw */
function describe(columns, rows, raw) {
  const all = columns.map((column, at) => {
    const values = rows.map((row) => row[at]);
    const numeric = isNumeric(column, values);
    const range = raw || !numeric ? null : rangeOf(columns, at);
    const shown = range ? [...values, ...rows.flatMap((row) => range.places.map((place) => row[place]))] : values;
    const none = shown.includes('never') && !shown.some((value) => typeof value === 'number'); // "never" has no unit
    const unit = raw || none ? { size: 1, name: none ? '' : column.unit ?? '' } : unitFor(column.unit, largestOf(shown), column.days);
    const whole = unit.size === 1 && shown.every((value) => typeof value !== 'number' || Number.isInteger(value));
    const head = titleWith(range?.title ?? (column.title || column.name), numeric ? unit.name : '') + (range?.what ?? '');
    return { ...column, at, range: range?.places, numeric, whole, letters: numeric ? 0 : longest(values), shownUnit: unit, head };
  });
  const within = new Set(all.flatMap((column) => column.range ?? []));
  return all.filter((column) => !within.has(column.at));
}

/** A number, with its range where it has one. */
function textOf(column, row) {
  const content = (at) => cellText(row[at], column.numeric ? column : undefined);
  const text = content(column.at);
  if (!column.range || !isNumber(row[column.range[0]]) || !isNumber(row[column.at])) return text;
  const [low, high] = column.range.map(content);
  return low === 'never' ? text : `${text} (${low} to ${high})`;
}

/** What the page shows of it, as text. @param {Column[]} columns @param {any[][]} rows */
export function shownTable(columns, rows) {
  const shown = describe(columns, rows, false);
  return { heads: shown.map((column) => column.head), numeric: shown.map((column) => column.numeric), cells: rows.map((row) => shown.map((column) => textOf(column, row))) };
}

const textClass = ({ letters }) => `text${letters <= shortText ? ' short' : ''}${letters > narrowText ? ' long' : ''}`;

function cell(column, row, jump) {
  const value = row[column.at];
  const text = textOf(column, row);
  const known = value !== null && value !== undefined;
  const properties = {
    class: column.range ? 'number range' : column.numeric ? 'number' : textClass(column),
    'data-value': known ? value : null,
    'data-head': column.head, // where a narrow screen has a block for each row
    'data-low': column.range ? row[column.range[0]] : null,
    'data-high': column.range ? row[column.range[1]] : null,
    title: typeof value === 'number' && text !== String(value) ? titleWith(String(value), column.unit ?? '') : null,
  };
  if (column.numeric || !known) return el('td', properties, text);
  const linked = column.link === 'gantt-job' && jump;
  return el('td', properties, linked ? button(name(text), () => jump(String(value)), { class: 'link' }) : el('bdi', {}, together(text)));
}

/** The part that changes: body, heads and the line of pages. */
class TableView {
  constructor(columns, rows, jump, sorted) {
    Object.assign(this, { columns, rows, jump, sorted, order: null, query: '', page: 0, size: pageSize });
    this.body = el('tbody');
    this.status = el('span', { role: 'status', class: 'status' });
    this.heads = columns.map((column) => this.head(column));
    this.back = button('Previous rows', () => this.turn(-1), { class: 'quiet' });
    this.forth = button('Next rows', () => this.turn(1), { class: 'quiet' });
  }

  head(column) {
    const sort = this.sorted ? button(column.head, () => this.sortBy(column), { class: 'sort' }) : column.head;
    const long = column.numeric && column.head.length > longHead;
    return el('th', { scope: 'col', class: column.numeric ? `number${long ? ' long' : ''}` : 'text' }, sort);
  }

  sortBy(column) {
    this.order = nextOrder(this.order, column.at, column.numeric);
    this.page = 0;
    this.update();
  }

  turn(pages) {
    this.page += pages;
    this.update();
  }

  update() {
    const found = sortRows(this.rows, filterRows(this.rows, this.query), this.order);
    const { page, pages, first, shown } = pageOf(found, this.page, this.size);
    this.page = page;
    refill(this.body, ...shown.map((i) => el('tr', {}, this.columns.map((c) => cell(c, this.rows[i], this.jump)))));
    this.heads.forEach((head, i) => {
      const direction = this.order?.column === this.columns[i].at ? this.order.direction : 0;
      if (this.sorted) head.setAttribute('aria-sort', direction === 0 ? 'none' : direction > 0 ? 'ascending' : 'descending');
    });
    const range = pages > 1 ? `Rows ${first + 1} to ${first + shown.length} of ${found.length}` : `${found.length} row${found.length === 1 ? '' : 's'}`;
    const all = found.length < this.rows.length ? ` (${this.rows.length} in all)` : '';
    this.status.textContent = found.length === 0 ? 'No row has these words.' : range + all;
    this.back.disabled = page === 0;
    this.forth.disabled = page >= pages - 1;
    this.back.hidden = this.forth.hidden = pages === 1;
  }
}

function filterField(view, id) {
  const field = el('input', {
    type: 'search',
    id,
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: () => { view.query = field.value; view.page = 0; view.update(); } },
  });
  return el('label', { class: 'filter', for: id }, 'Rows with ', field);
}

/** On paper a table cannot be turned: more of it is shown, and a sentence says how much. */
function whenPrinted(view, note) {
  addEventListener('beforeprint', () => {
    view.size = printSize;
    view.update();
    note.textContent = view.rows.length > printSize
      ? `Printed: ${printSize} of ${view.rows.length} rows. The file of this report has them all.` : '';
  });
  addEventListener('afterprint', () => {
    view.size = pageSize;
    view.update();
  });
}

/**
 * @param {{id: string, label: string, columns: Column[], rows: any[][], raw?: boolean, sorted?: boolean, jump?: (job: string) => void}} options
 * raw: numbers in the report's own units; sorted: the heads sort, and words filter
 */
export function dataTable({ id, label, columns, rows, raw = false, sorted = true, jump }) {
  const view = new TableView(describe(columns, rows, raw), rows, jump, sorted);
  const note = el('p', { class: 'print-note' });
  view.update();
  whenPrinted(view, note);
  return el('div', { class: 'data-table', id: idOf('table', id) },
    sorted ? el('div', { class: 'table-tools' },
      rows.length >= filterFrom ? filterField(view, idOf('filter', id)) : null, view.status, view.back, view.forth) : null,
    el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': `Table: ${label}` },
      el('table', { class: sizeOf(view.columns.length) }, el('caption', { class: 'hidden' }, label), el('thead', {}, el('tr', {}, view.heads)), view.body)),
    note);
}
