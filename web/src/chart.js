// One Vega-Lite chart. Its expressions are interpreted, not compiled, so that the content security
// policy can forbid programs made from text.
import { loader, parse, View, Warn } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile } from 'vega-lite';
import { chartConfig } from './chart_config.js';
import { tooltip } from './tooltip.js';

/** The page has all it needs. */
const nothing = () => {
  const own = loader();
  own.load = own.sanitize = () => Promise.reject(new Error('the page fetches nothing'));
  return own;
};

/**
 * @param {HTMLElement} container @param {any} spec @param {Record<string, any>[]} rows
 * @returns {Promise<View>}
 */
export async function drawChart(container, spec, rows) {
  const narrow = container.clientWidth < 480;
  const complete = { ...spec, width: 'container', autosize: { type: 'fit-x', contains: 'padding' }, data: { name: 'rows', values: rows } };
  const compiled = compile(complete, { config: chartConfig(narrow), logger: quiet });
  const view = new View(parse(compiled.spec, null, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    container,
    loader: nothing(),
    logLevel: Warn,
    tooltip,
  });
  await view.runAsync();
  return view;
}

/** Vega-Lite's remarks on specs are for the tests of the specs, not for readers. */
const quiet = { level: () => quiet, error: () => quiet, warn: () => quiet, info: () => quiet, debug: () => quiet };
