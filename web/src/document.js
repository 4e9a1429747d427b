// The report document ("gridcast.report/1"), read and made sure of.

/** @typedef {{name: string, title?: string, unit?: string, type?: string, link?: string}} Column */
/** @typedef {{id: string, title: string, says: string, says_by?: Record<string, string>, spec: string, params?: Record<string, any>, columns: Column[], rows: any[][]}} Figure */
/** @typedef {{id: string, title: string, text?: string[], figures?: Figure[], gantt?: any, other_gantts?: any[], table?: any, other_tables?: any[], facts?: {name: string, value: string}[]}} Section */
/** @typedef {import('./brief.js').Brief & {schema: string, kind: string, title: string, subtitle?: string, created_by?: string, command?: string, others?: import('./brief.js').Brief[], overview?: any, cite?: string[], ranking?: string[], sections?: Section[], notices?: {level: string, text: string}[]}} Report */

export const schema = 'gridcast.report/1';

/**
 * @param {string} text
 * @returns {{report?: Report, problem?: string}}
 */
export function readReport(text) {
  if (text.trim() === '') return { problem: 'This page holds no data. gridcast puts it in: gridcast export html RESULT.json --report FILE.html' };
  let report;
  try {
    report = JSON.parse(text);
  } catch (error) {
    return { problem: `The data of this report cannot be read; the file may be cut off. (${error.message})` };
  }
  if (report?.schema !== schema) {
    return { problem: `This page shows ${schema}, and the schema of the data is ${JSON.stringify(report?.schema ?? null)}. Make the report again with one version of gridcast.` };
  }
  return { report };
}

/**
 * Rows as objects by column name.
 * @param {Column[]} columns @param {any[][]} rows
 * @returns {Record<string, any>[]}
 */
export const asObjects = (columns, rows) =>
  rows.map((row) => Object.fromEntries(columns.map((column, i) => [column.name, row[i] ?? null])));

/** @param {any[]} values in order of appearance */
export const distinct = (values) => [...new Set(values)];

/**
 * All strategies: those that the report ranks, best first, then the others as they come.
 * @param {Report} report
 * @returns {string[]}
 */
export function rankStrategies(report) {
  const figures = (report.sections ?? []).flatMap((section) => section.figures ?? []);
  const named = figures.flatMap((figure) => asObjects(figure.columns, figure.rows).map((row) => row.strategy)).filter((x) => typeof x === 'string');
  return distinct([...(report.ranking ?? []), ...named]);
}
