// The marks of a drawn chart with a text, in an order for the keyboard.

/** @typedef {{x: number, y: number, tip: any, datum: any}} Mark where it is in the drawing, and its text */

const within = { line: (item) => [item.x, item.y], area: (item) => [item.x, item.y], trail: (item) => [item.x, item.y] };

function middle(kind, item) {
  if (within[kind]) return within[kind](item);
  const { x1, x2, y1, y2 } = item.bounds;
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

/**
 * Row by row or line by line, each from left to right.
 * @param {any} mark of Vega's scene @param {[number, number]} at of its group @returns {Mark[][]}
 */
function tracksOf(mark, at) {
  if (mark.marktype === 'group') {
    return mark.items.flatMap((group) => group.items.flatMap((each) => tracksOf(each, [at[0] + (group.x ?? 0), at[1] + (group.y ?? 0)])));
  }
  const marks = mark.items.filter((item) => item.tooltip && item.bounds).map((item) => {
    const [x, y] = middle(mark.marktype, item);
    return { x: at[0] + x, y: at[1] + y, tip: item.tooltip, datum: item.datum };
  });
  if (within[mark.marktype]) return [marks.sort((a, b) => a.x - b.x)];
  return [marks.sort((a, b) => a.y - b.y || a.x - b.x)];
}

/** @param {import('vega').View} view @returns {Mark[][]} */
export function marksOf(view) {
  const [left, top] = view.origin();
  return tracksOf(view.scenegraph().root, [left, top]).filter((track) => track.length > 0);
}

/**
 * The mark that a key leads to.
 * @param {Mark[][]} tracks @param {{track: number, mark: number}|null} from @param {string} key
 */
export function nextMark(tracks, from, key) {
  if (tracks.length === 0) return null;
  if (!from || !tracks[from.track]) return { track: 0, mark: 0 };
  const { track, mark } = from;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (step) {
    if (tracks[track][mark + step]) return { track, mark: mark + step };
    const other = tracks[track + step];
    return other ? { track: track + step, mark: step > 0 ? 0 : other.length - 1 } : from;
  }
  const to = track + (key === 'PageDown' ? 1 : -1);
  if (!tracks[to]) return from;
  const { x } = tracks[track][mark] ?? tracks[track][0];
  const away = tracks[to].map((each) => Math.abs(each.x - x));
  return { track: to, mark: away.indexOf(Math.min(...away)) };
}
