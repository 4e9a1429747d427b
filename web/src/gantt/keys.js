// The Gantt chart from the keyboard.

/** The bar beside, above or below the chosen one. */
export function neighbour(rows, chosen, key) {
  if (!chosen) {
    const row = rows.findIndex((each) => each.bars.length > 0);
    return row < 0 ? null : { row, bar: rows[row].bars[0] };
  }
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const { bars } = rows[chosen.row];
    const bar = bars[bars.indexOf(chosen.bar) + (key === 'ArrowRight' ? 1 : -1)];
    return bar ? { row: chosen.row, bar } : null;
  }
  const step = key === 'ArrowDown' ? 1 : -1;
  const middle = (chosen.bar.start + chosen.bar.end) / 2;
  for (let row = chosen.row + step; rows[row]; row += step) {
    const { bars } = rows[row];
    if (bars.length > 0) return { row, bar: bars.reduce((a, b) => (away(b, middle) < away(a, middle) ? b : a)) };
  }
  return null;
}

const away = (bar, t) => (t < bar.start ? bar.start - t : t > bar.end ? t - bar.end : 0);

/** The action of each key. @param {import('./view.js').GanttView} view @param {KeyboardEvent} event */
function act(view, event) {
  const arrow = /^Arrow/.test(event.key);
  if (arrow && event.shiftKey) {
    const [time, rows] = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -3], ArrowDown: [0, 3] }[event.key];
    return view.pan(time, rows);
  }
  if (arrow) {
    const next = neighbour(view.rows, view.chosen, event.key);
    view.choose(next);
    return next ? view.reveal(next) : null;
  }
  const calls = {
    '+': () => view.zoom(1.6), '=': () => view.zoom(1.6), '-': () => view.zoom(1 / 1.6),
    PageUp: () => view.pan(0, -0.8 * view.win.rows), PageDown: () => view.pan(0, 0.8 * view.win.rows),
    Home: () => view.fit(), Escape: () => view.fit(),
    '[': () => view.between(view.chosen?.bar.start, undefined), ']': () => view.between(undefined, view.chosen?.bar.end),
  };
  return calls[event.key]?.();
}

const ours = /^(Arrow(Left|Right|Up|Down)|PageUp|PageDown|Home|Escape|[-+=[\]])$/;

/** @param {import('./view.js').GanttView} view */
export function attachKeys(view) {
  view.canvas.addEventListener('keydown', (event) => {
    if (!ours.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(view, event);
  });
}
