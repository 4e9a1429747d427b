// Tables as CSV (RFC 4180).

/** @param {any} value */
function field(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/**
 * The values of the report, unchanged, in seconds and bytes.
 * @param {{name: string, unit?: string}[]} columns @param {any[][]} rows
 */
export function csvText(columns, rows) {
  const head = columns.map((column) => field(column.name));
  return [head, ...rows.map((row) => columns.map((_, i) => field(row[i])))].map((line) => line.join(',')).join('\r\n') + '\r\n';
}
