// One Vega-Lite chart. Its expressions are interpreted, not compiled: the content security policy
// can forbid programs made from text.
import { loader, parse, View, Warn } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile } from 'vega-lite';
import { chartConfig } from './chart_config.js';
import { ChartHand } from './chart_hand.js';
import { clipped, withWindow } from './chart_window.js';
import { cutLabels } from './cut.js';
import { el } from './dom.js';
import { tooltip } from './tooltip.js';

/** The page has all it needs. */
const nothing = () => {
  const own = loader();
  own.load = own.sanitize = () => Promise.reject(new Error('the page fetches nothing'));
  return own;
};

const lettersWhereNarrow = 20;

/** On a phone the names along the axis are cut, each to something of its own. @param {any} spec @param {Record<string, any>[]} rows */
function withCutLabels(spec, rows) {
  const fields = new Set();
  const cutIn = (part) => {
    const y = part.encoding?.y;
    const named = y?.type === 'nominal' && y.axis !== null;
    if (named) fields.add(y.field);
    const axis = { ...y?.axis, labelExpr: 'cuts[datum.label] || datum.label', labelLimit: 0 };
    return { ...part, ...(named ? { encoding: { ...part.encoding, y: { ...y, axis } } } : {}), ...(part.layer ? { layer: part.layer.map(cutIn) } : {}) };
  };
  const cut = cutIn(spec);
  const labels = rows.flatMap((row) => [...fields].map((field) => row[field])).filter((label) => typeof label === 'string');
  return { ...cut, params: [...(cut.params ?? []), { name: 'cuts', value: Object.fromEntries(cutLabels(labels, lettersWhereNarrow)) }] };
}

/**
 * @param {HTMLElement} figure @param {any} spec @param {Record<string, any>[]} rows
 * @returns {Promise<View>}
 */
export async function drawChart(figure, spec, rows) {
  const narrow = figure.clientWidth < 480;
  const container = el('div', { class: 'vega' }); // Vega describes it in its own way; the figure has a better one
  figure.replaceChildren(container);
  const zooms = Boolean(spec.usermeta?.gridcast?.zoom);
  const fitted = narrow ? withCutLabels(spec, rows) : spec;
  const complete = { ...(zooms ? clipped(fitted) : fitted), description: undefined, width: 'container', autosize: { type: 'fit-x', contains: 'padding' }, data: { name: 'rows', values: rows } };
  const compiled = compile(complete, { config: chartConfig(narrow), logger: quiet });
  const view = new View(parse(zooms ? withWindow(compiled.spec) : compiled.spec, null, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    container,
    loader: nothing(),
    logLevel: Warn,
    tooltip,
  });
  container.setAttribute('aria-hidden', 'true'); // the figure speaks for its marks
  await view.runAsync();
  new ChartHand(figure, view, zooms);
  return view;
}

/** Vega-Lite's remarks on specs are for the tests of the specs, not for readers. */
const quiet = { level: () => quiet, error: () => quiet, warn: () => quiet, info: () => quiet, debug: () => quiet };
