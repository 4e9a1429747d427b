// A chart under keys and mouse: arrows go from mark to mark and describe each, plus and minus zoom a
// curve, a stroke of the mouse over it does too, and a strategy that is clicked is picked.
import { el } from './dom.js';
import { ChartWindow } from './chart_window.js';
import { marksOf, nextMark } from './chart_marks.js';
import { pick } from './picks.js';
import { hideTip, showTip, tipLines } from './tooltip.js';

const leastStroke = 6; // pixels
const steps = /^(Arrow(Left|Right|Up|Down)|PageUp|PageDown)$/;

export class ChartHand {
  /** @param {HTMLElement} place with the drawing in it @param {import('vega').View} view @param {boolean} zooms */
  constructor(place, view, zooms) {
    Object.assign(this, { place, view, at: null });
    this.said = el('p', { class: 'hidden', role: 'status' });
    this.window = zooms ? new ChartWindow(view) : null;
    place.append(this.said);
    place.onkeydown = (event) => this.key(event);
    place.onblur = hideTip;
    view.addEventListener('click', (_event, item) => this.choose(item?.datum));
    if (this.window) this.attachMouse();
  }

  /** The clicked strategy, in all figures. */
  choose(datum) {
    if (typeof datum?.strategy === 'string') pick('strategy', datum.strategy);
  }

  get mark() {
    return this.at ? marksOf(this.view)[this.at.track]?.[this.at.mark] : undefined;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.place) return;
    const window = event.shiftKey && /^Arrow(Left|Right)$/.test(event.key) ? null : this.windowKeys()[event.key];
    if (event.shiftKey && this.window && /^Arrow(Left|Right)$/.test(event.key)) {
      this.window.pan(event.key === 'ArrowLeft' ? -0.2 : 0.2);
    } else if (steps.test(event.key)) {
      this.step(event.key);
    } else if (event.key === 'Enter') {
      this.choose(this.mark?.datum);
    } else if (this.window && window) {
      window();
    } else {
      return;
    }
    event.preventDefault();
  }

  windowKeys() {
    const x = () => (this.mark ? this.window.at(this.mark.x) : undefined);
    const [from, to] = this.window?.part ?? [];
    return {
      '+': () => this.window.zoom(1.6, x()), '=': () => this.window.zoom(1.6, x()), '-': () => this.window.zoom(1 / 1.6, x()),
      '[': () => this.window.look([x() ?? from, to]), ']': () => this.window.look([from, x() ?? to]),
      Home: () => this.window.all(), Escape: () => this.window.all(),
    };
  }

  step(key) {
    this.at = nextMark(marksOf(this.view), this.at, key);
    const { mark } = this;
    if (!mark) return;
    const lines = tipLines(mark.tip);
    const box = this.place.querySelector('svg').getBoundingClientRect();
    showTip({ clientX: box.left + mark.x, clientY: box.top + mark.y }, lines);
    this.said.textContent = lines.map((line) => line.filter(Boolean).join(' ')).join(', ');
  }

  attachMouse() {
    const stroke = el('div', { class: 'stroke', hidden: true });
    this.place.append(stroke);
    let from = NaN;
    const left = (event) => event.clientX - this.place.getBoundingClientRect().left;
    this.place.onpointerdown = (event) => { if (event.pointerType === 'mouse' && event.button === 0) from = left(event); };
    this.place.onpointermove = (event) => {
      if (Number.isNaN(from)) return;
      const to = left(event);
      stroke.hidden = Math.abs(to - from) < leastStroke;
      Object.assign(stroke.style, { left: `${Math.min(from, to)}px`, width: `${Math.abs(to - from)}px` });
    };
    this.place.onpointerup = (event) => {
      const ends = [from, left(event)].sort((a, b) => a - b);
      if (!stroke.hidden) this.window.look([this.window.at(ends[0]), this.window.at(ends[1])]);
      from = NaN;
      stroke.hidden = true;
    };
    this.place.onpointerleave = () => { from = NaN; stroke.hidden = true; };
    this.place.ondblclick = () => this.window.all();
  }
}
