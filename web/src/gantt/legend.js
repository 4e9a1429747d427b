// The meaning of the bars' colours and forms: only the phases that occur.
import { el } from '../dom.js';
import { lookOf } from '../palette.js';
import { drawn } from '../svg.js';

/** The form of a bar in 24 by 12 pixels. */
function swatch({ colour, form }) {
  const svg = drawn('svg', { width: 24, height: 12, 'aria-hidden': 'true' });
  const box = (y, height, more = {}) => drawn('rect', { x: 0, y, width: 24, height, fill: colour, ...more });
  if (form === 'line') svg.append(box(5, 2));
  else if (form === 'half') svg.append(box(3, 6));
  else if (form === 'hollow') svg.append(box(1, 10, { x: 1, width: 22, fill: 'none', stroke: colour, 'stroke-width': 2 }));
  else if (form === 'full') svg.append(box(0, 12));
  else {
    svg.append(box(0, 12, { opacity: 0.35 }));
    for (let x = -8; x < 24; x += 6) svg.append(drawn('line', { x1: x, y1: 13, x2: x + 14, y2: -1, stroke: colour, 'stroke-width': 2 }));
  }
  return svg;
}

/** @param {any} gantt */
export function legend(gantt) {
  const present = new Set(gantt.bars.map((bar) => bar[2]));
  const phases = gantt.phases.filter((_, i) => present.has(i));
  return el('ul', { class: 'legend', 'aria-label': 'Phases' }, phases.map((phase) => el('li', {}, swatch(lookOf(phase)), phase)));
}
