// The Gantt chart under mouse, pen and fingers. A plain wheel scrolls the page until the chart has
// been clicked; then it zooms. One finger moves in time, two zoom. With Shift, a stroke of the mouse
// over a part shows that part.
import { el } from '../dom.js';
import { hideTip } from '../tooltip.js';

const wheelStep = 1.0016;

function onWheel(view, event) {
  const { ctrlKey, metaKey, shiftKey, deltaX, deltaY } = event;
  const active = document.activeElement === view.canvas;
  if (!(ctrlKey || metaKey || shiftKey || active || Math.abs(deltaX) > Math.abs(deltaY))) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 30 : 1; // lines
  if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) {
    view.pan(((deltaX || deltaY) * unit) / view.canvas.clientWidth, 0);
  } else {
    view.zoom(wheelStep ** (-deltaY * unit), view.scales().t(event.offsetX));
  }
}

/** Moves by what one pointer moved, or by how two of them moved apart. */
function onDrag(view, pointers, event) {
  const before = pointers.get(event.pointerId);
  const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  const now = { x: event.offsetX, y: event.offsetY };
  pointers.set(event.pointerId, now);
  const { perSecond, rowHeight, t } = view.scales();
  if (other) {
    const apart = Math.max(10, Math.abs(now.x - other.x)) / Math.max(10, Math.abs(before.x - other.x));
    view.zoom(apart, t((now.x + other.x) / 2));
    return;
  }
  const time = -(now.x - before.x) / perSecond / (view.win.t1 - view.win.t0);
  view.pan(time, event.pointerType === 'touch' ? 0 : -(now.y - before.y) / rowHeight);
}

/** The stroke of the mouse over a part of the chart. @param {import('./view.js').GanttView} view */
function strokeOver(view) {
  const element = el('div', { class: 'stroke', hidden: true });
  view.element.append(element);
  let from = NaN;
  const end = () => {
    from = NaN;
    element.hidden = true;
  };
  return {
    begin: (x) => { from = x; },
    isOn: () => !Number.isNaN(from),
    move: (x) => {
      element.hidden = false;
      Object.assign(element.style, { left: `${Math.min(from, x)}px`, width: `${Math.abs(x - from)}px` });
    },
    finish: (x) => {
      const [first, last] = [Math.min(from, x), Math.max(from, x)].map(view.scales().t);
      if (!element.hidden) view.between(first, last);
      end();
    },
    end,
  };
}

/** @param {import('./view.js').GanttView} view */
export function attachPointer(view) {
  const { canvas } = view;
  const pointers = new Map();
  const stroke = strokeOver(view);
  const end = (event) => {
    if (stroke.isOn()) stroke.finish(event.offsetX);
    pointers.delete(event.pointerId);
  };
  canvas.addEventListener('wheel', (event) => onWheel(view, event), { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    canvas.setPointerCapture(event.pointerId);
    if (event.shiftKey && event.pointerType === 'mouse') return stroke.begin(event.offsetX);
    return view.choose(view.hit(event.offsetX, event.offsetY));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return view.hover(event, event.offsetX, event.offsetY);
    hideTip();
    if (stroke.isOn()) return stroke.move(event.offsetX);
    return onDrag(view, pointers, event);
  });
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', (event) => {
    stroke.end();
    pointers.delete(event.pointerId);
  });
  canvas.addEventListener('pointerleave', hideTip);
}
