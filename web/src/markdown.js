// A table as Markdown: the numbers and units that the page shows.
import { shownTable } from './table.js';

const cell = (text) => text.replace(/\\/g, '\\\\').replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim();

/** @param {import('./table.js').Column[]} columns @param {any[][]} rows */
export function markdownText(columns, rows) {
  const { heads, numeric, cells } = shownTable(columns, rows);
  const line = (texts) => `| ${texts.map(cell).join(' | ')} |`;
  return [line(heads), `|${numeric.map((number) => (number ? ' ---: ' : ' --- ')).join('|')}|`, ...cells.map(line)].join('\n') + '\n';
}
