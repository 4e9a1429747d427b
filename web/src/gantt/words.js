// A bar of the Gantt chart in words.
import { moment, span } from '../format.js';

/** @param {{id: number, label: string}[]|undefined} lanes @param {number} id */
export const labelOf = (lanes, id) => (id < 0 ? null : lanes?.find((lane) => lane.id === id)?.label ?? null);

/** The text on a bar. @returns {[string, string][]} */
export function barWords(gantt, bar) {
  const slot = labelOf(gantt.lanes, bar.lane);
  const reason = gantt.reasons?.[bar.reason];
  return [
    ['job', String(labelOf(gantt.job_lanes, bar.job) ?? bar.job)],
    ['phase', String(gantt.phases[bar.phase])],
    ['for', span(bar.end - bar.start)],
    ['from', moment(bar.start, gantt.epoch)],
    ['to', moment(bar.end, gantt.epoch)],
    ...(slot === null ? [] : [['slot', String(slot)]]),
    ...(reason ? [['reason', String(reason)]] : []),
  ];
}
