// Small drawings of an answer: a figure's interval, and when campaigns have ended. As a mark moves while
// the answer grows, they are plain SVG.
import { el } from '../dom.js';
import { significant } from '../format.js';
import { amount } from './paired.js';

const space = 'http://www.w3.org/2000/svg';

function svg(name, properties, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const line = (x1, x2, y1, y2, kind) => svg('line', { x1, x2, y1, y2, class: kind });

/** The largest finite end of some figures. @param {any[]} figures */
export const topOf = (figures) => Math.max(0, ...figures.flatMap((each) => ['p05', 'p50', 'p95'].map((part) => amount(each?.[part]) ?? 0)).filter(Number.isFinite));

/** Central 90 %, central half and median of one or two answers, on one scale. "Never" lies beyond its end, at an arrow. */
export function intervals(now, last, label, atLeast = 0) {
  const top = Math.max(topOf([now, last]), atLeast) || 1;
  const x = (value) => (value === Infinity ? 197 : 4 + 182 * (value / top));
  const marks = [[now, 'now', last ? 10 : 16], [last, 'last', 24]].flatMap(([each, kind, y]) => {
    const [p05, p25, p50, p75, p95] = ['p05', 'p25', 'p50', 'p75', 'p95'].map((part) => amount(each?.[part]));
    if (p95 === null) return [];
    const arrow = p95 === Infinity ? [svg('path', { d: `M191,${y - 5} L198,${y} L191,${y + 5}`, class: kind })] : [];
    const half = p25 === null ? [] : [line(x(p25), x(p75), y, y, `${kind} middle`)]; // money has no quartiles
    return [line(x(p05), x(p95), y, y, kind), ...half, line(x(p50), x(p50), y - 6, y + 6, 'tick'), ...arrow];
  });
  return svg('svg', { viewBox: '0 0 200 32', preserveAspectRatio: 'none', role: 'img', 'aria-label': label }, ...marks);
}

/** From 0 to `top`, in at most six steps of 1, 2 or 5 of some power of ten. @param {number} top */
export function roundTicks(top) {
  const size = 10 ** Math.floor(Math.log10(top / 6));
  const step = size * [1, 2, 5, 10].find((each) => top / (each * size) <= 6);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
}

const sorted = (values) => values.filter((v) => v !== null).sort((a, b) => a - b);

/** The value below which nineteen of twenty finite ones are. @param {number[]} finite */
const nearlyAll = (finite) => finite[Math.max(0, Math.ceil(0.95 * finite.length) - 1)] ?? 0;

/** Steps of the share of all values, as far as `top`. */
function steps(values, top) {
  const x = (value) => (46 + 440 * (value / top)).toFixed(1);
  const y = (count) => (150 - 130 * (count / values.length)).toFixed(1);
  const shown = values.filter((value) => value <= top);
  const points = shown.map((value, i) => `${x(value)},${y(i)} L${x(value)},${y(i + 1)}`);
  return `M46,150 L${[...points, `486,${y(shown.length)}`].join(' L')}`;
}

/**
 * The share of campaigns in which the wanted jobs have succeeded by when. A campaign in which they never do counts.
 * @param {(number|null)[]} now @param {(number|null)[]|null} last @param {{size: number, name: string}} unit @param {string} wanted
 * @param {number} [deadline] in seconds, drawn as a line
 */
export function endings(now, last, unit, wanted, deadline) {
  const [a, b] = [sorted(now), sorted(last ?? [])];
  const ends = Math.max(...[a, b].map((each) => nearlyAll(each.filter(Number.isFinite))));
  const top = ends > 0 ? Math.max(ends, 1.05 * (deadline ?? 0)) : 0;
  const reach = a.filter(Number.isFinite).length / (a.length || 1);
  const words = `Share of the campaigns in which ${wanted} have succeeded by then; ${significant(100 * reach, 3)} % in the end.`;
  if (!(top > 0)) return el('p', { class: 'note' }, words);
  const ticks = roundTicks(top / unit.size).flatMap((value) => {
    const x = 46 + (440 * value * unit.size) / top;
    return [line(x, x, 150, 154, 'axis'), svg('text', { x, y: 168, 'text-anchor': 'middle' }, significant(value, 3))];
  });
  const by = deadline ? 46 + (440 * deadline) / top : 0;
  const due = deadline ? [line(by, by, 14, 150, 'axis due'), svg('text', { x: by, y: 10, 'text-anchor': by > 440 ? 'end' : 'middle' }, 'deadline')] : [];
  const shares = [0, 50, 100].map((percent) => svg('text', { x: 40, y: 154 - 1.3 * percent, 'text-anchor': 'end' }, `${percent} %`));
  return el('figure', {},
    svg('svg', { viewBox: '-16 0 516 190', class: 'plot', role: 'img', 'aria-label': words },
      line(46, 486, 150, 150, 'axis'), ...ticks, ...shares, ...due,
      svg('text', { x: 266, y: 184, 'text-anchor': 'middle' }, `time since the first submission (${unit.name})`),
      ...(b.length ? [svg('path', { d: steps(b, top), class: 'last' })] : []),
      ...(a.length ? [svg('path', { d: steps(a, top), class: 'now' })] : [])),
    el('figcaption', { class: 'note' }, words));
}
