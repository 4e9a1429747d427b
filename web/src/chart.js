// One Vega-Lite chart. Its expressions are interpreted, not compiled, so that the content security
// policy can forbid programs made from text.
import { loader, parse, View, Warn } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile } from 'vega-lite';
import { chartConfig } from './chart_config.js';
import { el } from './dom.js';
import { tooltip } from './tooltip.js';

/** The page has all it needs. */
const nothing = () => {
  const own = loader();
  own.load = own.sanitize = () => Promise.reject(new Error('the page fetches nothing'));
  return own;
};

/**
 * @param {HTMLElement} figure @param {any} spec @param {Record<string, any>[]} rows
 * @returns {Promise<View>}
 */
export async function drawChart(figure, spec, rows) {
  const narrow = figure.clientWidth < 480;
  const container = el('div', { class: 'vega' }); // Vega describes it in its own way; the figure has a better one
  figure.replaceChildren(container);
  const complete = { ...spec, description: undefined, width: 'container', autosize: { type: 'fit-x', contains: 'padding' }, data: { name: 'rows', values: rows } };
  const compiled = compile(complete, { config: chartConfig(narrow), logger: quiet });
  const view = new View(parse(compiled.spec, null, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    container,
    loader: nothing(),
    logLevel: Warn,
    tooltip,
  });
  container.setAttribute('aria-hidden', 'true'); // the figure speaks for its marks
  await view.runAsync();
  return view;
}

/** Vega-Lite's remarks on specs are for the tests of the specs, not for readers. */
const quiet = { level: () => quiet, error: () => quiet, warn: () => quiet, info: () => quiet, debug: () => quiet };
