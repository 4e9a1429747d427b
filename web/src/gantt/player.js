// Play, pause and step over the events of a log: the chart shows the campaign as far as the event,
// and a list the last few events.
import { button, el, name, refill } from '../dom.js';
import { moment } from '../format.js';

const lastEvents = 6;
const wholeIn = 30; // seconds of the reader's time at speed 1
const speeds = [[0.25, 'slow'], [1, 'normal'], [4, 'fast']];

/** Index of the last event not after t; -1 before all. @param {any[][]} events sorted by time */
export function eventAt(events, t) {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle][0] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

class Player {
  constructor(gantt, view) {
    this.gantt = gantt;
    this.view = view;
    this.events = gantt.events.map(([t, job, word]) => [t, job, gantt.event_words[word]]).sort((a, b) => a[0] - b[0]);
    this.labels = new Map((gantt.job_lanes ?? []).map((lane) => [lane.id, String(lane.label)]));
    this.index = -1;
    this.playing = false;
    this.speed = 1;
    this.list = el('ol', { class: 'events', 'aria-live': 'polite', 'aria-label': 'Last events' });
    this.clock = el('output', { class: 'clock' });
    this.slider = el('input', { type: 'range', min: '-1', max: String(this.events.length - 1), value: '-1', 'aria-label': 'Event', on: { input: () => { this.pause(); this.show(Number(this.slider.value)); } } });
    this.play = button('Play', () => (this.playing ? this.pause() : this.start()), { class: 'play' });
  }

  /** Up to and with event `index`; -1: nothing has happened yet. */
  show(index, t = this.events[index]?.[0] ?? this.view.t0) {
    const moved = index !== this.index;
    this.index = index;
    this.now = t;
    this.slider.value = String(index);
    this.clock.textContent = `${moment(t, this.gantt.epoch)}, event ${index + 1} of ${this.events.length}`;
    this.slider.setAttribute('aria-valuetext', this.clock.textContent);
    if (moved) this.tell();
    Object.assign(this.view, { until: t, cursor: t });
    this.view.draw();
  }

  tell() {
    const last = this.events.slice(Math.max(0, this.index + 1 - lastEvents), this.index + 1);
    refill(this.list, ...last.map(([t, job, text]) => el('li', {}, el('span', { class: 'what' }, `${moment(t, this.gantt.epoch)} `), name(this.labels.get(job) ?? ''), ' ', el('span', { dir: 'auto' }, text))));
  }

  step(by) {
    this.pause();
    this.show(Math.min(this.events.length - 1, Math.max(-1, this.index + by)));
  }

  start() {
    if (this.index >= this.events.length - 1) this.show(-1);
    this.playing = true;
    this.play.textContent = 'Pause';
    this.last = performance.now();
    requestAnimationFrame(() => this.tick());
  }

  pause() {
    this.playing = false;
    this.play.textContent = 'Play';
  }

  tick() {
    if (!this.playing) return;
    const real = performance.now();
    const end = this.events[this.events.length - 1][0];
    const t = this.now + ((real - this.last) / 1000) * this.speed * ((end - this.view.t0) / wholeIn);
    this.last = real;
    this.show(eventAt(this.events, t), Math.min(t, end));
    if (t >= end) this.pause();
    else requestAnimationFrame(() => this.tick());
  }

  whole() {
    this.pause();
    this.show(this.events.length - 1);
    Object.assign(this.view, { until: Infinity, cursor: NaN });
    this.view.draw();
  }
}

/** @param {any} gantt @param {import('./view.js').GanttView} view */
export function playerElement(gantt, view) {
  const player = new Player(gantt, view);
  const speed = el('select', { on: { change: () => { player.speed = Number(speed.value); } } },
    speeds.map(([factor, label]) => el('option', { value: String(factor), selected: factor === 1 }, label)));
  player.now = view.t0;
  player.clock.textContent = `${player.events.length} events`;
  return el('div', { class: 'player', role: 'group', 'aria-label': 'Play the event log' },
    el('div', { class: 'toolbar' }, player.play,
      button('Step back', () => player.step(-1)), button('Step', () => player.step(1)), button('Whole', () => player.whole()),
      el('label', {}, 'Speed ', speed), player.clock),
    player.slider, player.list);
}
