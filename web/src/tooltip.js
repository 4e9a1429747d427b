// The text beside the pointer over a chart: names and values of the mark, as text.
import { el, refill } from './dom.js';
import { cellText } from './format.js';

let box = null;

function place(event) {
  const margin = 14;
  const { offsetWidth: width, offsetHeight: height } = box;
  const x = Math.min(event.clientX + margin, innerWidth - width - 4);
  const below = event.clientY + margin + height < innerHeight;
  box.style.left = `${Math.max(4, x)}px`;
  box.style.top = `${below ? event.clientY + margin : Math.max(4, event.clientY - margin - height)}px`;
}

/** @param {{clientX: number, clientY: number}} event @param {[string, string][]} lines */
export function showTip(event, lines) {
  if (!box) {
    box = el('dl', { class: 'tip', 'aria-hidden': 'true' });
    document.body.append(box);
  }
  refill(box, ...lines.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', { dir: 'auto' }, value))));
  box.hidden = false;
  place(event);
}

export function hideTip() {
  if (box) box.hidden = true;
}

/** Vega's text on a mark, in lines. @returns {[string, string][]} */
export const tipLines = (value) =>
  (typeof value === 'object' ? Object.entries(value).map(([key, each]) => [key, cellText(each)]) : [['', String(value)]]);

/** Vega's tooltip handler. */
export function tooltip(_handler, event, _item, value) {
  if (value === null || value === undefined || value === '') return hideTip();
  return showTip(event, tipLines(value));
}
