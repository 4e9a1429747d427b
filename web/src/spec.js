// From a figure and its Vega-Lite template to complete Vega-Lite specs.
//
// In usermeta.gridcast a template lists the parts that the page prepares for it:
//   units   {PARAM: {fields, days, sum, reach}}  the parameter becomes the size of a unit fit for the fields, and for
//           the parameter `reach`, the end of an axis
//   series  the field with a colour for each value, `shown` how many of them at first (the first of the
//           data and those of the best rank), `swatch` their sign in the legend: line, box, dot or none,
//           `tone` the field that marks a value as good or bad, which then has its colour
//   wide    a chart as wide as the page even if it is one of a list
//   lead    it stands beside the answer where it is the first figure of a report
//   split   the field whose values have a chart each
//   top     {field, by, count}            only the values with the largest sums
//   pick    the field whose value the reader picks; rows without one are always there
// A layer with usermeta.when is drawn only if the parameter of that name has a value, one with
// usermeta.needs only if some row has a value in that field.
// In its strings @{PARAM} is the unit's name, @{title:COLUMN} a column's title and @{picked} the value that
// is picked; the strings
// "@series", "@colours" and "@dashes" are lists.
import { asObjects, distinct } from './document.js';
import { bad, colourRange, dashRange, good } from './palette.js';
import { largestOf, unitFor } from './units.js';

/** @typedef {{title: string|null, spec: any, rows: Record<string, any>[]}} Panel */

export const mostSeries = 20;
export const mostPanels = 12;

const plan = (template) => template.usermeta?.gridcast ?? {};

/**
 * The series of a figure in the order of their rank, and at most `mostSeries` of them.
 * @param {any} template @param {Record<string, any>[]} rows @param {string[]} ranking
 */
export function seriesOf(template, rows, ranking) {
  const { series, shown = mostSeries, swatch = 'line', tone } = plan(template);
  if (!series) return null;
  const present = distinct(rows.map((row) => row[series]).filter((value) => value !== null && value !== undefined).map(String));
  const ranks = new Map(ranking.map((value, i) => [value, i]));
  const rank = (value) => ranks.get(value) ?? ranking.length;
  const ordered = series === 'strategy' ? [...present].sort((a, b) => rank(a) - rank(b)) : present;
  const names = ordered.slice(0, mostSeries);
  const first = new Set([...names.filter((name) => name !== present[0]).slice(0, shown - 1), present[0]]);
  const drawn = names.filter((name) => first.has(name));
  return { field: series, names, all: present.length, shown: drawn, swatch, colours: coloursOf(names, drawn, rows, series, tone) };
}

/** Those shown at first have the colours that differ most. Bad values always have the colour of bad ones. */
function coloursOf(names, shown, rows, series, tone) {
  if (!tone) {
    const order = [...shown, ...names.filter((name) => !shown.includes(name))];
    return names.map((name) => colourRange(names.length)[order.indexOf(name)]);
  }
  const isBad = (name) => rows.some((row) => String(row[series]) === name && row[tone] === 'bad');
  const goods = [good, ...colourRange(mostSeries).filter((colour) => colour !== good && colour !== bad)];
  let next = 0;
  return names.map((name) => (isBad(name) ? bad : goods[next++ % goods.length]));
}

/** The values of `field` with the largest sums of `by`. */
function largestBySum(rows, { field, by, count }) {
  const sums = new Map();
  for (const row of rows) sums.set(row[field], (sums.get(row[field]) ?? 0) + Math.abs(row[by] ?? 0));
  if (sums.size <= count) return null;
  return new Set([...sums].sort((a, b) => b[1] - a[1]).slice(0, count).map(([value]) => value));
}

/** @param {any} template @param {Record<string, any>[]} rows */
export function topOf(template, rows) {
  const { top } = plan(template);
  const kept = top ? largestBySum(rows, top) : null;
  if (!kept) return { rows, left: 0, field: '' };
  const all = new Set(rows.map((row) => row[top.field])).size;
  return { rows: rows.filter((row) => kept.has(row[top.field])), left: all - kept.size, field: top.field };
}

/**
 * Vega keeps its counts under the values' own texts in plain objects, which have a "constructor"
 * and a "toString" from the start. Such a text gets a mark that has no width.
 */
export const drawable = (value) => (typeof value === 'string' && value in {} ? `${value}\u200b` : value);

const drawableRow = (row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, drawable(value)]));

/** Units for the parameters of a template. */
function unitsFor(template, columns, rows, params) {
  const units = {};
  for (const [param, { fields, days = false, sum = false, reach }] of Object.entries(plan(template).units ?? {})) {
    const own = columns.find((column) => fields.includes(column.name))?.unit;
    const base = own || rows.find((row) => row.unit)?.unit;
    const values = [...rows.flatMap((row) => fields.map((field) => row[field])), params?.[reach]];
    const total = () => values.reduce((all, value) => all + (typeof value === 'number' ? Math.abs(value) : 0), 0);
    units[param] = unitFor(base, sum ? total() : largestOf(values), days);
  }
  return units;
}

/** Every string of a spec through `replace`. */
function mapStrings(value, replace) {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, replace));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, replace)]));
}

function filled(template, columns, units, series, chosen) {
  const lists = { '@series': series?.names ?? [], '@colours': series?.colours ?? [], '@dashes': dashRange(series?.names.length ?? 0) };
  const title = (column) => columns.find((each) => each.name === column)?.title || column;
  return mapStrings(template, (text) => {
    if (Object.hasOwn(lists, text)) return lists[text];
    return text
      .replace(/@\{picked\}/g, () => chosen)
      .replace(/ ?\(?@\{(\w+)\}\)?/g, (whole, param) => (units[param]?.name === '' ? '' : whole.replace(`@{${param}}`, units[param]?.name ?? '')))
      .replace(/@\{title:(\w+)\}/g, (_, column) => title(column));
  });
}

/** Values of the report over the template's own, and only the layers that these allow. */
function withParams(spec, values, rows) {
  const params = (spec.params ?? []).map((param) =>
    Object.hasOwn(values, param.name) ? { ...param, value: values[param.name] } : param);
  const given = new Set(params.filter((param) => param.value !== null).map((param) => param.name));
  if (!spec.layer) return { ...spec, params };
  const layer = spec.layer
    .filter((each) => !each.usermeta?.when || given.has(each.usermeta.when))
    .filter((each) => !each.usermeta?.needs || rows.some((row) => typeof row[each.usermeta.needs] === 'number'))
    .map(({ usermeta, ...rest }) => rest);
  return { ...spec, params, layer };
}

/** The values that can be picked, in the order of the data; none where there is but one. */
export function choicesOf(template, figure) {
  const { pick } = plan(template);
  const at = figure.columns.findIndex((column) => column.name === pick);
  const described = Object.keys(figure.says_by ?? {});
  const values = at < 0 ? [] : distinct([...described, ...figure.rows.map((row) => row[at]).filter((value) => value !== null && value !== undefined)]);
  return values.length > 1 ? { field: pick, title: figure.columns[at].title || pick, values } : null;
}

/** The figure with the rows of one choice. @param {import('./document.js').Figure} figure */
export function picked(figure, field, value) {
  const at = figure.columns.findIndex((column) => column.name === field);
  const rows = figure.rows.filter((row) => row[at] === value || row[at] === null || row[at] === undefined);
  return { ...figure, says: figure.says_by?.[value] ?? figure.says, rows };
}

/**
 * @param {any} template @param {import('./document.js').Figure} figure @param {string[]} ranking
 * @returns {{panels: Panel[], series: ReturnType<typeof seriesOf>, notes: string[]}}
 */
export function figurePanels(template, figure, ranking) {
  const everything = asObjects(figure.columns, figure.rows).map(drawableRow);
  const series = seriesOf(template, everything, ranking.map(drawable));
  const names = series && new Set(series.names);
  const top = topOf(template, names ? everything.filter((row) => names.has(String(row[series.field]))) : everything);
  const { split, pick } = plan(template);
  const parts = split ? distinct(top.rows.map((row) => row[split])) : [null];
  const panels = parts.slice(0, mostPanels).map((part) => {
    const rows = split ? top.rows.filter((row) => row[split] === part) : top.rows;
    const units = unitsFor(template, figure.columns, rows, figure.params);
    const sizes = Object.fromEntries(Object.entries(units).map(([param, unit]) => [param, unit.size]));
    const spec = withParams(filled(template, figure.columns, units, series, rows[0]?.[pick] ?? ''), { ...figure.params, ...sizes, ...(series ? { shown: series.shown } : {}) }, rows);
    return { title: part, spec, rows };
  });
  return { panels, series, notes: notesOf(series, top, parts) };
}

function notesOf(series, top, parts) {
  const notes = [];
  if (series && series.all > series.names.length) notes.push(`The chart shows the first ${series.names.length} of ${series.all}; the numbers contain all.`);
  if (top.left > 0) notes.push(`The chart shows the largest; the numbers contain ${top.left} more.`);
  if (parts.length > mostPanels) notes.push(`These are the first ${mostPanels} of ${parts.length} charts; the numbers contain all.`);
  return notes;
}
