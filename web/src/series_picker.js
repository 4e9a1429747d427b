// Legend and choice in one: a box to tick for each series, with the colour and dash of its line.
import { button, el, name } from './dom.js';
import { colourRange, dashRange } from './palette.js';

function swatch(colour, dash) {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const line = document.createElementNS(namespace, 'line');
  for (const [key, value] of Object.entries({ width: 22, height: 10, 'aria-hidden': 'true' })) svg.setAttribute(key, String(value));
  const look = { x1: 1, x2: 21, y1: 5, y2: 5, stroke: colour, 'stroke-width': 3, 'stroke-dasharray': dash.join(' ') };
  for (const [key, value] of Object.entries(look)) line.setAttribute(key, String(value));
  svg.append(line);
  return svg;
}

/**
 * @param {import('./document.js').Figure} figure
 * @param {{names: string[], shown: string[]}} series @param {(shown: string[]) => void} onChange
 */
export function seriesPicker(figure, series, onChange) {
  const colours = colourRange(series.names.length);
  const dashes = dashRange(series.names.length);
  const boxes = series.names.map((each) => el('input', { type: 'checkbox', checked: series.shown.includes(each) }));
  const tell = () => onChange(series.names.filter((_, i) => boxes[i].checked));
  boxes.forEach((box) => box.addEventListener('change', tell));
  const all = (ticked) => () => {
    boxes.forEach((box) => { box.checked = ticked; });
    tell();
  };
  return el('fieldset', { class: 'series' }, el('legend', { class: 'hidden' }, `Shown in: ${figure.title}`),
    series.names.map((each, i) => el('label', {}, boxes[i], swatch(colours[i], dashes[i]), name(each))),
    series.names.length > 3 ? [button('all', all(true), { class: 'quiet' }), button('none', all(false), { class: 'quiet' })] : null);
}
