// The canvas of a Gantt chart and the window through which it is seen: pointer, wheel and keys.
import { el } from '../dom.js';
import { colour, onThemeChange } from '../theme.js';
import { hideTip, showTip } from '../tooltip.js';
import { axisHeight, paint, scales } from './draw.js';
import { barAt, barsOf, extent, kept, ontoRow, panned, rowsBy, zoomed } from './model.js';
import { attachKeys } from './keys.js';
import { attachPointer } from './pointer.js';
import { SvgPen } from './svg_pen.js';
import { barWords, labelOf } from './words.js';

const rowHeight = { roomy: 18, tight: 5 };
const tallest = 560;
const shortest = 120;
const slackPixels = 4;
const pictureWidth = 1000; // of a file

export class GanttView {
  /** @param {any} gantt @param {(bar: any) => void} onChoose */
  constructor(gantt, onChoose) {
    this.gantt = gantt;
    this.onChoose = onChoose;
    this.onArrange = () => {};
    this.onLook = () => {}; // at another time
    this.onFollow = () => {}; // another job
    this.bars = barsOf(gantt.bars);
    [this.t0, this.t1] = extent(this.bars);
    this.t1 = Math.max(this.t1, gantt.end ?? 0); // the same for all strategies
    this.until = Infinity;
    this.cursor = NaN;
    this.canvas = el('canvas', {
      tabindex: '0', role: 'application', 'aria-roledescription': 'Gantt chart',
      'aria-label': `${gantt.title}. ${gantt.says ?? ''} Arrow keys go from bar to bar, plus and minus zoom.`,
    });
    this.element = el('div', { class: 'canvas' }, this.canvas);
    this.setRows((gantt.lanes ?? []).length > 0 && this.bars.some((bar) => bar.lane >= 0) ? 'lane' : 'job');
    this.fit();
    attachPointer(this);
    attachKeys(this);
    new ResizeObserver(() => this.draw()).observe(this.element);
    onThemeChange(() => this.paintNow()); // on paper there is no next frame
  }

  /** @param {'lane'|'job'} by */
  setRows(by) {
    this.by = by;
    this.rows = rowsBy(this.gantt, this.bars, by);
    this.bounds = { t0: this.t0, t1: this.t1, rows: Math.max(1, this.rows.length) };
    this.chosen = null;
    const height = this.rows.length * rowHeight.roomy + axisHeight;
    this.canvas.style.height = `${Math.min(tallest, Math.max(shortest, height))}px`;
  }

  /** @param {'lane'|'job'} by */
  arrange(by) {
    const { win } = this;
    this.setRows(by);
    this.look({ ...win, ...this.allRows() });
    this.onArrange(by);
  }

  /** As many rows as can be separated. */
  allRows() {
    const height = Number.parseFloat(this.canvas.style.height) - axisHeight;
    return { top: 0, rows: Math.min(this.rows.length, Math.floor(height / rowHeight.tight)) };
  }

  fit() {
    this.look({ t0: this.t0, t1: this.t1, ...this.allRows() });
  }

  /** Room for the times of a chart on another page: both show the same. */
  span(t0, t1) {
    Object.assign(this, { t0, t1 });
    Object.assign(this.bounds, { t0, t1 });
    this.fit();
  }

  /** @param {import('./model.js').Window} win */
  look(win) {
    const before = this.win;
    this.win = kept(win, this.bounds);
    if (before && (before.t0 !== this.win.t0 || before.t1 !== this.win.t1)) this.onLook(this.win);
    this.canvas.dataset.window = [this.win.t0, this.win.t1, this.win.top, this.win.rows].map((x) => x.toFixed(3)).join(' ');
    this.draw();
  }

  zoom(factor, at = this.focusTime()) {
    const closer = zoomed(this.win, factor, at);
    this.look(closer);
  }

  /** Only the part between two times. @param {number} [from] @param {number} [to] */
  between(from = this.win.t0, to = this.win.t1) {
    if (to > from) this.look({ ...this.win, t0: from, t1: to });
  }

  pan(part, rows) {
    this.look(panned(this.win, part, rows));
  }

  focusTime() {
    const { t0, t1 } = this.win;
    const middle = this.chosen ? (this.chosen.bar.start + this.chosen.bar.end) / 2 : NaN;
    return middle >= t0 && middle <= t1 ? middle : (t0 + t1) / 2;
  }

  /** @returns {import('./draw.js').Surface} */
  surface() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const style = { ink: colour('--ink'), faint: colour('--faint'), rule: colour('--rule'), paper: colour('--paper') };
    return { width, height, gutter: Math.min(170, Math.max(70, width * 0.18)), ...style };
  }

  scales() {
    return scales(this.surface(), this.win);
  }

  /** Once a frame, for any number of requests. */
  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.paintNow();
    });
  }

  paintNow() {
    const began = performance.now();
    const surface = this.surface();
    if (surface.width === 0) return;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(surface.width * ratio), Math.round(surface.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const context = this.canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, surface, this.scene());
    this.canvas.dataset.painted = (performance.now() - began).toFixed(2);
  }

  scene() {
    const { rows, win, until, cursor, chosen, gantt } = this;
    return { rows, phases: gantt.phases, win, epoch: gantt.epoch ?? null, until, cursor, chosen, what: this.by === 'job' ? 'job' : 'slot' };
  }

  /** The part in sight as SVG, in the colours of the page. */
  svg() {
    const surface = { ...this.surface(), width: pictureWidth, height: this.canvas.clientHeight || tallest, gutter: 170 };
    const pen = new SvgPen();
    paint(pen, surface, this.scene());
    return { svg: pen.element(surface.width, surface.height), width: surface.width, height: surface.height };
  }

  /** The bar under a point of the canvas. */
  hit(x, y) {
    const { t, row, perSecond } = this.scales();
    const index = row(y);
    if (y < axisHeight || !this.rows[index]) return null;
    const bar = barAt(this.rows[index], t(x), slackPixels / perSecond);
    return bar ? { row: index, bar } : null;
  }

  /** @param {{row: number, bar: any}|null} chosen */
  choose(chosen) {
    if (!chosen) return;
    this.chosen = chosen;
    this.onChoose(chosen.bar);
    this.onFollow(labelOf(this.gantt.job_lanes, chosen.bar.job));
    this.draw();
  }

  hover(event, x, y) {
    const found = this.hit(x, y);
    this.canvas.style.cursor = found ? 'pointer' : 'grab';
    if (found) showTip(event, barWords(this.gantt, found.bar));
    else hideTip();
  }

  /** Brings a bar into sight. */
  reveal({ row, bar }) {
    const { win } = this;
    const outside = bar.end < win.t0 || bar.start > win.t1;
    const width = win.t1 - win.t0;
    const middle = (bar.start + bar.end) / 2;
    const time = outside ? { t0: middle - width / 2, t1: middle + width / 2 } : {};
    const hidden = row < win.top || row >= win.top + win.rows - 1;
    this.look({ ...win, ...time, ...(hidden ? { top: row - win.rows / 2 } : {}) });
  }

  /** A job that another chart follows, in the rows and the times that are in sight. @param {string|null} label */
  show(label) {
    const index = (this.gantt.job_lanes ?? []).findIndex((lane) => lane.label === label);
    if (index < 0) return;
    if (this.by !== 'job') this.arrange('job');
    if (this.rows[index].bars.length === 0) return;
    const chosen = { row: index, bar: this.longestBad(index) };
    const { win } = this;
    const hidden = index < win.top || index >= win.top + win.rows - 1;
    if (hidden) this.look({ ...win, top: index - win.rows / 2 });
    this.choose(chosen);
  }

  /** @param {number} job its id */
  toJob(job) {
    this.arrange('job');
    const index = (this.gantt.job_lanes ?? []).findIndex((lane) => lane.id === job);
    if (index < 0) return;
    const rows = Math.min(this.rows.length, Math.max(8, Math.floor(Number.parseFloat(this.canvas.style.height) / rowHeight.roomy)));
    this.look(ontoRow(this.rows, index, { ...this.win, rows }));
    if (this.rows[index].bars.length > 0) this.choose({ row: index, bar: this.longestBad(index) });
    this.canvas.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: 'center' });
  }

  /** Where a job's trouble is: its longest bar that is not plain work. */
  longestBad(index) {
    const bad = this.rows[index].bars.filter((bar) => !['executing', 'waiting', 'matched'].includes(this.gantt.phases[bar.phase]));
    const from = bad.length > 0 ? bad : this.rows[index].bars;
    return from.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
  }
}
