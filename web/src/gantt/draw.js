// Paints the part of a Gantt chart that is in sight. Colour and form both show the phase.
import { cutLabels } from '../cut.js';
import { span } from '../format.js';
import { lookOf } from '../palette.js';
import { firstAt, ticks } from './model.js';

export const axisHeight = 26;
const letterWidth = 6.6; // pixels, of most letters

/** @typedef {{width: number, height: number, gutter: number, ink: string, faint: string, rule: string, paper: string}} Surface */

/** Pixels of a time and of a row. @param {Surface} surface @param {import('./model.js').Window} win */
export function scales(surface, win) {
  const perSecond = (surface.width - surface.gutter) / (win.t1 - win.t0);
  const rowHeight = (surface.height - axisHeight) / Math.max(win.rows, 1);
  return {
    x: (t) => surface.gutter + (t - win.t0) * perSecond,
    y: (row) => axisHeight + (row - win.top) * rowHeight,
    t: (x) => win.t0 + (x - surface.gutter) / perSecond,
    row: (y) => Math.floor(win.top + (y - axisHeight) / rowHeight),
    perSecond,
    rowHeight,
  };
}

function hatch(context, colour) {
  if (context.hatch) return context.hatch(colour); // no canvas
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  pen.fillStyle = colour;
  pen.globalAlpha = 0.35;
  pen.fillRect(0, 0, 6, 6);
  pen.globalAlpha = 1;
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.beginPath();
  for (const shift of [-6, 0, 6]) {
    pen.moveTo(shift - 1, 7);
    pen.lineTo(shift + 7, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}

/** One bar in its form. Narrow ones lose it: a line of colour is all there is room for. */
export function paintBar(context, look, x, y, width, height, pattern) {
  if (look.form === 'line') return context.fillRect(x, y + height * 0.42, width, Math.max(1, height * 0.16));
  if (look.form === 'half') return context.fillRect(x, y + height * 0.25, width, height * 0.5);
  if (look.form === 'hollow' && width > 4) return context.strokeRect(x + 1, y + 1, width - 2, Math.max(1, height - 2));
  if (look.form === 'hatched' && width > 4) context.fillStyle = pattern;
  return context.fillRect(x, y, width, height);
}

/** Bars by phase: the brush is changed seldom. */
function inSight(rows, win) {
  const phases = [];
  const last = Math.min(rows.length, Math.ceil(win.top + win.rows) + 1);
  for (let row = Math.max(0, Math.floor(win.top)); row < last; row += 1) {
    const { bars } = rows[row];
    for (let i = firstAt(bars, win.t0); i < bars.length && bars[i].start < win.t1; i += 1) {
      (phases[bars[i].phase] ??= []).push({ row, bar: bars[i] });
    }
  }
  return phases;
}

function paintBars(context, surface, rows, phases, win, until) {
  const { x, y, rowHeight } = scales(surface, win);
  const height = Math.max(1, rowHeight > 6 ? rowHeight - 3 : rowHeight * 0.8);
  inSight(rows, win).forEach((found, phase) => {
    const look = lookOf(phases[phase]);
    const pattern = look.form === 'hatched' ? hatch(context, look.colour) : null;
    context.strokeStyle = look.colour;
    context.lineWidth = 2;
    for (const { row, bar } of found) {
      context.globalAlpha = bar.start > until ? 0.12 : 1;
      context.fillStyle = look.colour;
      const left = Math.max(surface.gutter - 2, x(bar.start));
      const right = Math.min(surface.width + 2, x(Math.min(bar.end, bar.start > until ? bar.end : until)));
      paintBar(context, look, left, y(row) + (rowHeight - height) / 2, Math.max(0.7, right - left), height, pattern);
    }
  });
  context.globalAlpha = 1;
}

/** By rows: cutting thousands of labels takes longer than painting. */
const cuts = new WeakMap();

function cutsOf(rows, letters) {
  if (cuts.get(rows)?.letters !== letters) cuts.set(rows, { letters, labels: cutLabels(rows.map(labelOf), letters) });
  return cuts.get(rows).labels;
}

const labelOf = (row) => row.label.replace(/\s+/g, ' ');

function paintLabels(context, surface, rows, win) {
  const { y, rowHeight } = scales(surface, win);
  context.fillStyle = surface.ink;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  context.direction = 'ltr';
  const every = Math.max(1, Math.ceil(13 / rowHeight)); // labels need room
  const room = surface.gutter - 10;
  const labels = cutsOf(rows, Math.max(4, Math.floor(room / letterWidth)));
  for (let row = Math.ceil(win.top / every) * every; row < Math.min(rows.length, win.top + win.rows); row += every) {
    const at = y(row) + rowHeight / 2;
    if (at < axisHeight + 4) continue;
    context.fillText(labels.get(labelOf(rows[row])), surface.gutter - 6, at, room);
  }
}

/** "12:00" or "3 d" since time zero, or the date. */
function tickLabel(t, step, epoch) {
  const zero = epoch ? Date.parse(epoch) : NaN;
  if (Number.isNaN(zero)) return t === 0 ? '0' : span(t);
  const iso = new Date(zero + t * 1000).toISOString();
  return step >= 86400 ? iso.slice(5, 10) : `${iso.slice(5, 10)} ${iso.slice(11, step < 60 ? 19 : 16)}`;
}

/** The meaning of both axes, in the corner between them. */
function paintTitles(context, surface, epoch, what) {
  const long = surface.gutter > 120;
  context.fillStyle = surface.faint;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const time = epoch ? 'date (UTC)' : long ? 'time since start' : 'time';
  context.fillText(long ? `${what} / ${time}` : time, surface.gutter - 6, axisHeight / 2, surface.gutter - 10);
}

function paintAxis(context, surface, win, epoch) {
  const { x } = scales(surface, win);
  const room = epoch ? 110 : 90;
  let free = surface.gutter; // where the last label ends
  const at = ticks(win.t0, win.t1, Math.max(1, Math.floor((surface.width - surface.gutter) / room)));
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const t of at) {
    context.fillStyle = surface.rule;
    context.fillRect(Math.round(x(t)), axisHeight - 4, 1, surface.height);
    context.fillStyle = surface.faint;
    const label = tickLabel(t, at.length > 1 ? at[1] - at[0] : 1, epoch);
    const half = context.measureText(label).width / 2;
    const middle = Math.min(Math.max(x(t), surface.gutter + half), surface.width - half);
    if (middle - half < free) continue;
    context.fillText(label, middle, axisHeight / 2);
    free = middle + half + 6;
  }
}

function paintCursor(context, surface, win, t) {
  const { x } = scales(surface, win);
  if (!Number.isFinite(t) || t < win.t0 || t > win.t1) return;
  context.fillStyle = surface.ink;
  context.fillRect(x(t) - 0.75, axisHeight - 6, 1.5, surface.height);
}

function paintChosen(context, surface, win, chosen) {
  if (!chosen) return;
  const { x, y, rowHeight } = scales(surface, win);
  context.strokeStyle = surface.ink;
  context.lineWidth = 2;
  const left = x(chosen.bar.start);
  context.strokeRect(left - 1, y(chosen.row) + 1, Math.max(3, x(chosen.bar.end) - left) + 2, Math.max(2, rowHeight - 2));
}

/**
 * @param {CanvasRenderingContext2D} context @param {Surface} surface
 * @param {{rows: import('./model.js').Row[], phases: string[], win: import('./model.js').Window, epoch: string|null, until: number, cursor: number, chosen: {row: number, bar: any}|null, what: string}} scene
 * until: later bars are dim; all are bright with Infinity
 */
export function paint(context, surface, { rows, phases, win, epoch, until, cursor, chosen, what }) {
  context.fillStyle = surface.paper;
  context.fillRect(0, 0, surface.width, surface.height);
  context.font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
  paintAxis(context, surface, win, epoch);
  paintTitles(context, surface, epoch, what);
  context.save();
  context.beginPath();
  context.rect(surface.gutter, axisHeight, surface.width - surface.gutter, surface.height - axisHeight);
  context.clip();
  paintBars(context, surface, rows, phases, win, until);
  paintChosen(context, surface, win, chosen);
  paintCursor(context, surface, win, cursor);
  context.restore();
  paintLabels(context, surface, rows, win);
}
