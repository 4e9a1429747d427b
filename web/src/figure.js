// A figure: its sentence, its charts, the numbers in them, and files of both.
import { drawChart } from './chart.js';
import { el, idOf, name, refill } from './dom.js';
import { pictureButtons } from './download.js';
import { chartsOf } from './picture.js';
import { picker } from './picks.js';
import { choicesOf, figurePanels, picked } from './spec.js';
import { seriesPicker } from './series_picker.js';
import { dataTable } from './table.js';
import { tableFiles } from './table_block.js';
import { together } from './together.js';

/* global GRIDCAST_SPECS */
const specs = GRIDCAST_SPECS;

/** The numbers are made into a table at their first use. */
function numbers(figure) {
  const details = el('details', { class: 'numbers' }, el('summary', {}, 'Numbers'));
  details.addEventListener('toggle', () => {
    if (!details.open || details.querySelector('table')) return;
    details.append(dataTable({ id: `numbers-${figure.id}`, label: `Numbers of: ${figure.title}`, columns: figure.columns, rows: figure.rows, raw: true }));
  });
  return details;
}

/** @param {() => HTMLElement} element of the figure, whose charts are shown */
function files(figure, element) {
  return el('p', { class: 'files' }, 'Files: ', pictureButtons(figure.title, idOf(figure.id), element, () => chartsOf(element())),
    tableFiles(figure.title, figure.id, figure.columns, figure.rows));
}

/** @param {import('./spec.js').Panel} panel */
function panelElement(figure, panel) {
  const label = [figure.title, panel.title, figure.says, 'Arrow keys go from mark to mark.'].filter(Boolean).join('. ');
  const canvas = el('div', { class: 'chart', role: 'application', 'aria-roledescription': 'chart', tabindex: '0', 'aria-label': label });
  const title = panel.title === null || panel.title === undefined ? null : el('h4', {}, name(String(panel.title)));
  return { canvas, element: el('div', { class: 'panel' }, title, canvas) };
}

async function drawPanels(panels, canvases, pickers) {
  const views = [];
  for (const [i, panel] of panels.entries()) {
    try {
      views.push(await drawChart(canvases[i], panel.spec, panel.rows));
    } catch (error) {
      console.error(error);
      canvases[i].replaceChildren(el('p', { class: 'empty' }, 'This chart could not be drawn; its numbers are below.'));
    }
  }
  pickers.onChange = (shown) => Promise.all(views.map((view) => view.signal('shown', shown).runAsync()));
}

/** The replacement of a chart that cannot be drawn. */
function absence(figure, template) {
  if (figure.rows.length === 0) return 'There is no data for this figure.';
  return template ? null : `This page has no drawing named "${figure.spec}"; here are the numbers.`;
}

/** One chart of a list is no wider than several, unless its template sets `wide`. */
function layoutOf(panels, template) {
  if (template?.usermeta?.gridcast?.wide) return 'panels';
  return panels.length > 1 ? 'panels many' : panels[0]?.title === null ? 'panels' : 'panels one';
}

/** Room for a chart before it is drawn: nothing moves when it is. */
function keepRoom(canvas, panel) {
  const { height } = panel.spec;
  const field = panel.spec.encoding?.y?.field;
  const rows = field ? new Set(panel.rows.map((row) => row[field])).size : 0;
  const pixels = typeof height === 'number' ? height : height?.step ? height.step * Math.max(1, rows) : 220;
  canvas.style.minHeight = `${pixels + 40}px`;
}

/** The parts of a figure that depend on the picked values. */
function drawing(figure, template, ranking) {
  const { panels, series, notes } = figurePanels(template, figure, ranking);
  const parts = panels.map((panel) => panelElement(figure, panel));
  parts.forEach((part, i) => keepRoom(part.canvas, panels[i]));
  const pickers = { onChange: () => {} };
  const legend = series && series.names.length > 1 ? [seriesPicker(figure, series, (shown) => pickers.onChange(shown))] : [];
  const charts = [el('div', { class: layoutOf(panels, template) }, parts.map((part) => part.element)),
    ...notes.map((note) => el('p', { class: 'note' }, note)),
    ...(template.usermeta?.gridcast?.zoom && panels.length > 0 ? [el('p', { class: 'hint' }, 'Drag over a part to see it closer, double-click for all. Keys: arrows from mark to mark, + and − to zoom, [ and ] to cut off all left or right of a mark, Home for all.')] : [])];
  return { panels, legend, charts, draw: () => drawPanels(panels, parts.map((part) => part.canvas), pickers) };
}

/** Whether a figure of the appendix may stand beside the answer instead. @param {import('./document.js').Figure} [figure] */
export const leads = (figure) => Boolean(figure && figure.rows.length > 0 && specs[figure.spec]?.usermeta?.gridcast?.lead);

/**
 * @param {import('./document.js').Figure} figure @param {string[]} ranking strategies, best first
 * @param {boolean} [lead] beside the answer
 * @returns {{element: HTMLElement, draw: () => Promise<void>}}
 */
export function figureElement(figure, ranking, lead = false) {
  const template = specs[figure.spec];
  const missing = absence(figure, template);
  const choices = missing ? null : choicesOf(template, figure);
  let shown = missing ? null : drawing(choices ? picked(figure, choices.field, choices.values[0]) : figure, template, ranking);
  const legend = el('div', {}, ...(shown?.legend ?? []));
  const place = el('div', {}, ...(shown?.charts ?? []));
  const says = el('p', { class: 'says' }, together(figure.says));
  let isDrawn = false;
  const pick = (value) => {
    const part = picked(figure, choices.field, value);
    shown = part.rows.length > 0 ? drawing(part, template, ranking) : null;
    refill(says, ...together(part.says));
    legend.replaceChildren(...(shown?.legend ?? []));
    place.replaceChildren(...(shown?.charts ?? [el('p', { class: 'empty' }, `There is no data under ${value}.`)]));
    if (isDrawn) shown?.draw();
  };
  const table = numbers(figure);
  if (missing && figure.rows.length > 0) table.open = true;
  const title = el(lead ? 'h2' : 'h3', {}, figure.title);
  const absent = missing ? el('p', { class: 'empty' }, missing) : null;
  const choice = choices ? picker(idOf('pick', figure.id), choices, pick) : null;
  const foot = el('div', { class: 'figure-foot' }, table, figure.rows.length > 0 ? files(figure, () => element) : null);
  const parts = lead ? [el('figcaption', {}, title), choice, legend, place, says, foot]
    : [el('figcaption', {}, title, says), absent, choice, legend, place, foot];
  const element = el('figure', { id: idOf('figure', figure.id), class: lead ? 'lead' : null, dataset: { spec: figure.spec } }, parts.filter(Boolean));
  return { element, draw: () => { isDrawn = true; return shown?.draw(); } };
}
