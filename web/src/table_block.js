// A table with its title, its sentence and its files; of several strategies that of the picked one.
import { csvText } from './csv.js';
import { el, idOf, refill } from './dom.js';
import { downloadButton } from './download.js';
import { markdownText } from './markdown.js';
import { picker } from './picks.js';
import { dataTable } from './table.js';
import { together } from './together.js';

/** Files of the same rows: raw values, and what the page shows. @param {any[][]|(() => any[][])} rows */
export function tableFiles(title, id, columns, rows) {
  const all = () => (typeof rows === 'function' ? rows() : rows);
  return [downloadButton('CSV', title, `${idOf(id)}.csv`, 'text/csv', () => csvText(columns, all())),
    downloadButton('Markdown', title, `${idOf(id)}.md`, 'text/markdown', () => markdownText(columns, all()))];
}

function tableOf(table, { jump, sorted }) {
  const says = table.says ? el('p', { class: 'says' }, together(table.says)) : null;
  const body = table.rows.length === 0
    ? el('p', { class: 'empty' }, 'This table has no rows.')
    : [dataTable({ id: table.id, label: table.title, columns: table.columns, rows: table.rows, jump, sorted }),
      el('p', { class: 'files' }, tableFiles(table.title, table.id, table.columns, table.rows))];
  return el('div', {}, says, body);
}

/**
 * Each table is made at its first use.
 * @param {any} first @param {any[]} others @param {{jump?: (job: string) => void, sorted?: boolean}} [options] sorted: whether its heads sort it
 */
export function tableBlock(first, others, { jump, sorted = true } = {}) {
  const tables = new Map([first, ...others].map((table) => [table.strategy, { columns: first.columns, ...table }]));
  const made = new Map();
  const place = el('div', {});
  const show = (strategy) => {
    if (!made.has(strategy)) made.set(strategy, tableOf(tables.get(strategy), { jump, sorted }));
    refill(place, made.get(strategy));
  };
  show(first.strategy);
  const pick = others.length === 0 ? null
    : picker(idOf('pick', first.id), { field: 'strategy', title: 'strategy', values: [...tables.keys()] }, show);
  return el('div', { class: 'table-block' }, el('h3', {}, first.title), pick, place);
}
