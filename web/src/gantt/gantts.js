// The Gantt chart of the strategy that is picked; below it, if the reader wants, that of another one, in
// the same replica: both have the same axis, and follow the same job.
import { el, idOf, refill } from '../dom.js';
import { picker } from '../picks.js';
import { joinFrames } from './frames.js';
import { ganttElement } from './gantt.js';

/** @typedef {ReturnType<typeof ganttElement>} Chart */

const none = '(none)';

/** The other chart follows a change of one; it never sends it back. @param {Chart} one @param {Chart} other */
function link(one, other) {
  const follow = (from, to) => {
    from.view.onLook = ({ t0, t1 }) => quietly(to, () => to.view.look({ ...to.view.win, t0, t1 }));
    from.view.onFollow = (job) => quietly(to, () => to.view.show(job));
  };
  const quietly = ({ view }, call) => {
    const { onLook, onFollow } = view;
    Object.assign(view, { onLook: () => {}, onFollow: () => {} });
    call();
    Object.assign(view, { onLook, onFollow });
  };
  follow(one, other);
  follow(other, one);
}

/**
 * @param {any} first the chart of the baseline @param {any[]} others with their differences from it
 * @returns {{element: HTMLElement, draw: () => void, jump: (job: string) => boolean}}
 */
export function ganttsElement(first, others) {
  if (others.length === 0) {
    const chart = ganttElement(first);
    if (chart.view) joinFrames(chart.view);
    return chart;
  }
  const { lanes, job_lanes, phases } = first;
  const gantts = new Map([first, ...others].map((gantt) => [gantt.strategy, { lanes, job_lanes, phases, ...gantt }]));
  const strategies = [...gantts.keys()];
  const [above, below] = [el('div', {}), el('div', {})];
  const second = el('select', { id: idOf('pick', first.id, 'below'), on: { change: () => show() } },
    [none, ...strategies].map((value) => el('option', { value }, value)));
  let chosen = strategies[0];
  let charts = [];
  const show = () => {
    charts = [ganttElement(gantts.get(chosen))];
    if (second.value !== none) charts.push(ganttElement({ ...gantts.get(second.value), id: `${first.id}-below` }));
    refill(above, charts[0].element);
    refill(below, ...charts.slice(1).map((chart) => chart.element));
    if (charts[1]?.view && charts[0].view) link(charts[0], charts[1]);
  };
  show();
  const element = el('div', { class: 'gantts' },
    el('div', { class: 'picks' },
      picker(idOf('pick', first.id), { field: 'strategy', title: 'strategy', values: strategies }, (value) => { chosen = value; show(); }),
      el('p', { class: 'pick' }, el('label', { for: second.id }, 'below it, with the same random numbers: '), second)),
    above, below);
  return { element, draw: () => charts.forEach((chart) => chart.draw()), jump: (job) => charts[0].jump(job) };
}
