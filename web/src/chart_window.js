// The part of a curve's axis that is in sight: by keys, or by drawing over it with the mouse.

const smallest = 1e-4; // of the whole

/** @param {[number, number]} part @param {[number, number]} whole @returns {[number, number]} */
export function keptPart([from, to], whole) {
  const all = whole[1] - whole[0];
  const width = Math.min(all, Math.max(all * smallest, to - from));
  const start = Math.min(Math.max(from, whole[0]), whole[1] - width);
  return [start, start + width];
}

/** @param {[number, number]} part @param {number} factor @param {number} at stays where it is */
export const closer = ([from, to], factor, at) => /** @type {[number, number]} */ ([at - (at - from) / factor, at + (to - at) / factor]);

/** Vega's parameters of the window; null for a chart without one. @param {any} compiled */
export function withWindow(compiled) {
  const axis = compiled.scales?.find((scale) => scale.name === 'x' && ['linear', 'time', 'utc'].includes(scale.type));
  if (!axis) return compiled;
  axis.domainRaw = { signal: 'x_in_sight' };
  return { ...compiled, signals: [...(compiled.signals ?? []), { name: 'x_in_sight', value: null }] };
}

/** Marks out of sight are not drawn over the axis. @param {any} spec */
export function clipped(spec) {
  const layer = spec.layer?.map(clipped);
  const mark = typeof spec.mark === 'string' ? { type: spec.mark } : spec.mark;
  return { ...spec, ...(layer ? { layer } : {}), ...(mark ? { mark: { ...mark, clip: true } } : {}) };
}

export class ChartWindow {
  /** @param {import('vega').View} view */
  constructor(view) {
    this.view = view;
    this.whole = this.part = view.scale('x').domain().map(Number);
  }

  /** @param {[number, number]} part */
  look(part) {
    this.part = keptPart(part, this.whole);
    return this.view.signal('x_in_sight', this.part).runAsync();
  }

  all() {
    return this.look(this.whole);
  }

  /** @param {number} x pixels of the drawing */
  at(x) {
    return Number(this.view.scale('x').invert(x - this.view.origin()[0]));
  }

  zoom(factor, at = (this.part[0] + this.part[1]) / 2) {
    return this.look(closer(this.part, factor, at));
  }

  pan(share) {
    const by = share * (this.part[1] - this.part[0]);
    return this.look([this.part[0] + by, this.part[1] + by]);
  }
}
