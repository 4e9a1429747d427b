// Small drawings of an answer: a figure's interval, and when campaigns have ended. As a mark moves while
// the answer grows, they are plain SVG.
import { el } from '../dom.js';
import { significant } from '../format.js';

const space = 'http://www.w3.org/2000/svg';

function svg(name, properties, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const line = (x1, x2, y1, y2, kind) => svg('line', { x1, x2, y1, y2, class: kind });

/** Central 90 %, central half and median of one or two answers, on one scale. */
export function intervals(now, last, label, atLeast = 0) {
  const all = [now, last].filter((each) => each && each.p95 !== null);
  const top = Math.max(...all.map((each) => each.p95), atLeast) || 1;
  const x = (value) => 4 + 192 * (value / top);
  const marks = [[now, 'now', last ? 10 : 16], [last, 'last', 24]].flatMap(([each, kind, y]) =>
    each && each.p95 !== null
      ? [line(x(each.p05), x(each.p95), y, y, kind), line(x(each.p25), x(each.p75), y, y, `${kind} middle`), line(x(each.p50), x(each.p50), y - 6, y + 6, 'tick')]
      : []);
  return svg('svg', { viewBox: '0 0 200 32', preserveAspectRatio: 'none', role: 'img', 'aria-label': label }, ...marks);
}

const sorted = (values) => values.filter((v) => v !== null).sort((a, b) => a - b);

function steps(values, top) {
  const n = values.length;
  const points = values.map((value, i) => `${(46 + 440 * (value / top)).toFixed(1)},${(150 - 130 * ((i + 1) / n)).toFixed(1)}`);
  return `M46,150 L${points.join(' L')} L486,20`;
}

/** From 0 to `top`, in at most six steps of 1, 2 or 5 of some power of ten. @param {number} top */
export function roundTicks(top) {
  const size = 10 ** Math.floor(Math.log10(top / 6));
  const step = size * [1, 2, 5, 10].find((each) => top / (each * size) <= 6);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
}

/**
 * The share of campaigns that have ended by when.
 * @param {(number|null)[]} now @param {(number|null)[]|null} last @param {{size: number, name: string}} unit
 */
export function endings(now, last, unit) {
  const [a, b] = [sorted(now), sorted(last ?? [])];
  const top = Math.max(a.at(-1) ?? 0, b.at(-1) ?? 0) || 1;
  const ticks = roundTicks(top / unit.size).flatMap((value) => {
    const x = 46 + (440 * value * unit.size) / top;
    return [line(x, x, 150, 154, 'axis'), svg('text', { x, y: 168, 'text-anchor': 'middle' }, significant(value, 3))];
  });
  const shares = [0, 50, 100].map((percent) => svg('text', { x: 40, y: 154 - 1.3 * percent, 'text-anchor': 'end' }, `${percent} %`));
  return el('figure', {},
    svg('svg', { viewBox: '-16 0 516 190', class: 'plot', role: 'img', 'aria-label': 'Share of the campaigns that have ended, by time' },
      line(46, 486, 150, 150, 'axis'), ...ticks, ...shares,
      svg('text', { x: 266, y: 184, 'text-anchor': 'middle' }, `time since the first submission (${unit.name})`),
      ...(b.length ? [svg('path', { d: steps(b, top), class: 'last' })] : []),
      ...(a.length ? [svg('path', { d: steps(a, top), class: 'now' })] : [])),
    el('figcaption', { class: 'note' }, 'Share of the campaigns that have ended by then.'));
}
