// The part of a canvas context that the Gantt chart paints with, as SVG: so that a file of the chart stays
// sharp. Words are as wide as most of their letters.
import { drawn } from '../svg.js';

const letterWidth = 6.6; // pixels at 12 pixels' height
const anchors = { left: 'start', center: 'middle', right: 'end' };
let pens = 0;

export class SvgPen {
  constructor() {
    this.root = drawn('g', {});
    this.group = this.root;
    this.defs = drawn('defs', {});
    this.prefix = `pen-${(pens += 1)}`;
    this.hatches = new Map();
    Object.assign(this, { globalAlpha: 1, fillStyle: '#000000', strokeStyle: '#000000', lineWidth: 1, textAlign: 'left' });
  }

  save() {}

  beginPath() {}

  rect(x, y, width, height) {
    this.path = { x, y, width, height };
  }

  clip() {
    const id = `${this.prefix}-clip`;
    this.defs.append(drawn('clipPath', { id }, drawn('rect', this.path)));
    this.group = drawn('g', { 'clip-path': `url(#${id})` });
    this.root.append(this.group);
  }

  restore() {
    this.group = this.root;
  }

  fillRect(x, y, width, height) {
    this.group.append(drawn('rect', { x, y, width, height, fill: this.fillStyle, ...this.opacity() }));
  }

  strokeRect(x, y, width, height) {
    this.group.append(drawn('rect', { x, y, width, height, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth, ...this.opacity() }));
  }

  opacity() {
    return this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {};
  }

  measureText(words) {
    return { width: letterWidth * words.length };
  }

  fillText(words, x, y, most = Infinity) {
    const fitted = this.measureText(words).width > most ? { textLength: most, lengthAdjust: 'spacingAndGlyphs' } : {};
    const element = drawn('text', { x, y: y + 4, 'text-anchor': anchors[this.textAlign], 'font-size': 12, 'font-family': 'sans-serif', fill: this.fillStyle, ...fitted });
    element.textContent = words;
    this.group.append(element);
  }

  /** @returns {string} a fill */
  hatch(colour) {
    if (!this.hatches.has(colour)) {
      const id = `${this.prefix}-hatch-${this.hatches.size}`;
      this.hatches.set(colour, `url(#${id})`);
      this.defs.append(drawn('pattern', { id, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
        drawn('rect', { width: 6, height: 6, fill: colour, opacity: 0.35 }),
        drawn('path', { d: 'M-1,7 L7,-1 M-4,4 L4,-4 M2,10 L10,2', stroke: colour, 'stroke-width': 2 })));
    }
    return this.hatches.get(colour);
  }

  /** @returns {SVGElement} */
  element(width, height) {
    return drawn('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, this.defs, this.root);
  }
}
