// The Gantt chart: a canvas with its legend, its buttons, the text on the bar in focus, its
// worst jobs, its numbers, and play, pause and step where the report has events.
import { button, el, idOf, name } from '../dom.js';
import { pictureButtons } from '../download.js';
import { dataTable } from '../table.js';
import { tableFiles } from '../table_block.js';
import { together } from '../together.js';
import { legend } from './legend.js';
import { playerElement } from './player.js';
import { GanttView } from './view.js';
import { barWords, labelOf } from './words.js';

const columns = [
  { name: 'job', title: 'job', type: 'text' },
  { name: 'slot', title: 'slot', type: 'text' },
  { name: 'phase', title: 'phase', type: 'text' },
  { name: 'start_s', title: 'start', unit: 's' },
  { name: 'end_s', title: 'end', unit: 's' },
  { name: 'reason', title: 'reason', type: 'text' },
];

function tableRows(gantt) {
  const names = (lanes) => new Map((lanes ?? []).map((lane) => [lane.id, lane.label]));
  const jobs = names(gantt.job_lanes);
  const slots = names(gantt.lanes);
  return gantt.bars.map(([start, end, phase, job, lane, reason]) =>
    [jobs.get(job) ?? null, slots.get(lane) ?? null, gantt.phases[phase], start, end, gantt.reasons?.[reason] ?? null]);
}

function numbers(gantt) {
  const details = el('details', { class: 'numbers' }, el('summary', {}, 'Numbers'));
  details.addEventListener('toggle', () => {
    if (!details.open || details.querySelector('table')) return;
    details.append(dataTable({ id: `numbers-${gantt.id}`, label: `Numbers of: ${gantt.title}`, columns, rows: tableRows(gantt), raw: true }));
  });
  return details;
}

function worstList(gantt, view) {
  const worst = gantt.worst ?? [];
  if (worst.length === 0) return null;
  return el('div', { class: 'worst' }, el('h4', {}, 'Worst jobs'),
    el('ol', {}, worst.map(({ job_lane: job, why }) =>
      el('li', {}, button(name(String(labelOf(gantt.job_lanes, job) ?? job)), () => view.toJob(job), { class: 'link' }), ' ', el('span', { dir: 'auto' }, why)))));
}

function toolbar(gantt, view) {
  const canChoose = (gantt.lanes ?? []).length > 0 && (gantt.job_lanes ?? []).length > 0;
  const choice = el('select', { on: { change: () => view.arrange(choice.value) } },
    el('option', { value: 'lane' }, 'slot'), el('option', { value: 'job' }, 'job'));
  choice.value = view.by;
  view.onArrange = (by) => { choice.value = by; };
  return el('div', { class: 'toolbar' },
    canChoose ? el('label', {}, 'Rows by ', choice) : null,
    button('+', () => view.zoom(1.6), { 'aria-label': 'Zoom in', title: 'Zoom in (+)' }),
    button('−', () => view.zoom(1 / 1.6), { 'aria-label': 'Zoom out', title: 'Zoom out (-)' }),
    button('◂', () => view.pan(-0.3, 0), { 'aria-label': 'Earlier', title: 'Earlier (Shift+Left)' }),
    button('▸', () => view.pan(0.3, 0), { 'aria-label': 'Later', title: 'Later (Shift+Right)' }),
    button('▴', () => view.pan(0, -0.6 * view.win.rows), { 'aria-label': 'Rows above', title: 'Rows above (Page up)' }),
    button('▾', () => view.pan(0, 0.6 * view.win.rows), { 'aria-label': 'Rows below', title: 'Rows below (Page down)' }),
    button('All', () => view.fit(), { 'aria-label': 'Show all', title: 'Show all (Home)' }));
}

/**
 * @param {any} gantt
 * @returns {{element: HTMLElement, view?: GanttView, draw: () => void, jump: (job: string) => boolean}}
 */
export function ganttElement(gantt) {
  const caption = el('figcaption', {}, el('h3', {}, gantt.title), gantt.says ? el('p', { class: 'says' }, together(gantt.says)) : null);
  if ((gantt.bars ?? []).length === 0) {
    return { element: el('figure', { class: 'gantt' }, caption, el('p', { class: 'empty' }, 'No job did anything that could be drawn.')), draw: () => {}, jump: () => false };
  }
  const said = el('p', { class: 'said', role: 'status' }, 'Point at a bar, or press Tab and the arrow keys, to see the event and its cause.');
  const view = new GanttView(gantt, (bar) => { said.replaceChildren(...sentence(barWords(gantt, bar))); });
  const element = el('figure', { class: 'gantt', id: idOf('gantt', gantt.id) }, caption,
    gantt.aggregated ? el('p', { class: 'note' }, 'There are too many bars to draw: in each short step of time a job has one bar for each phase, as long as its time in that phase.') : null,
    legend(gantt), toolbar(gantt, view), view.element, said,
    el('p', { class: 'hint' }, 'Drag to move; Ctrl and wheel, or + and −, to zoom; Shift and drag to see a part; arrow keys go from bar to bar, [ and ] cut off all before or after a bar, Home shows all.'),
    gantt.events?.length ? playerElement(gantt, view) : null,
    worstList(gantt, view),
    el('div', { class: 'figure-foot' }, numbers(gantt), el('p', { class: 'files' }, 'Files: ',
      pictureButtons(gantt.title, idOf(gantt.id || 'gantt'), () => element, () => [view.svg()]),
      tableFiles(gantt.title, gantt.id || 'gantt', columns, () => tableRows(gantt)))));
  const jump = (job) => {
    const lane = (gantt.job_lanes ?? []).find((each) => String(each.label) === job);
    if (!lane) return false;
    view.toJob(lane.id);
    return true;
  };
  return { element, view, draw: () => view.paintNow(), jump };
}

const sentence = (words) => words.flatMap(([what, value], i) => [i > 0 ? ' · ' : '', el('span', { class: 'what' }, `${what} `), name(value)]);
