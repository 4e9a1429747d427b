// Legend and choice in one: a box to tick for each series, with the colour and dash of its line.
import { button, el, name } from './dom.js';
import { dashRange } from './palette.js';
import { drawn } from './svg.js';

/** The drawn mark of a series. @param {string} kind */
function shapeOf(kind, colour, dash) {
  if (kind === 'box') return ['rect', { x: 5, y: 0, width: 12, height: 12, fill: colour }];
  if (kind === 'dot') return ['circle', { cx: 11, cy: 6, r: 5, fill: colour }];
  return ['line', { x1: 1, x2: 21, y1: 6, y2: 6, stroke: colour, 'stroke-width': 3, 'stroke-dasharray': dash.join(' ') }];
}

function swatch(kind, colour, dash) {
  if (kind === 'none') return '';
  return drawn('svg', { width: 22, height: 12, 'aria-hidden': 'true' }, drawn(...shapeOf(kind, colour, dash)));
}

/**
 * @param {import('./document.js').Figure} figure
 * @param {{names: string[], shown: string[], swatch: string, colours: string[]}} series @param {(shown: string[]) => void} onChange
 */
export function seriesPicker(figure, series, onChange) {
  const { colours } = series;
  const dashes = dashRange(series.names.length);
  const boxes = series.names.map((each) => el('input', { type: 'checkbox', checked: series.shown.includes(each) }));
  const tell = () => onChange(series.names.filter((_, i) => boxes[i].checked));
  boxes.forEach((box) => box.addEventListener('change', tell));
  const all = (ticked) => () => {
    boxes.forEach((box) => { box.checked = ticked; });
    tell();
  };
  return el('fieldset', { class: 'series' }, el('legend', { class: 'hidden' }, `Shown in: ${figure.title}`),
    series.names.map((each, i) => el('label', {}, boxes[i], swatch(series.swatch, colours[i], dashes[i]), name(each))),
    series.names.length > 3 ? [button('all', all(true), { class: 'quiet' }), button('none', all(false), { class: 'quiet' })] : null);
}
