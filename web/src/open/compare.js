// The strategies of a scenario side by side, each with the same random numbers; of a picked one, one campaign job by
// job, and of two of them the same campaign, one below the other.
import { button, el, refill } from '../dom.js';
import { ask, get, post } from './api.js';
import { differenceText, valueText } from './figures.js';
import { paired } from './paired.js';
import { passJobsOn } from '../gantt/frames.js';
import { intervals } from './plots.js';

/** Campaigns of each strategy before all of any. */
const few = 50;

export class Compare {
  constructor() {
    this.element = el('div', {});
    this.abort = null;
    passJobsOn(() => [...(this.place?.querySelectorAll('iframe') ?? [])]);
  }

  /** @param {string} scenario */
  async open(scenario) {
    this.abort?.abort();
    this.left = false;
    const about = await get('scenario', { file: scenario });
    if (this.left) return; // a question now would end a question asked elsewhere
    this.about = about;
    this.answers = new Map();
    this.asked = new Map(); // campaigns of each strategy that have been answered
    this.draw();
    await this.askForRest();
  }

  leave() {
    this.left = true;
    this.abort?.abort();
  }

  /**
   * For the strategies without a whole answer, one after the other: only one study runs at a time. A
   * few campaigns of each come first, and a slow strategy does not keep the others waiting.
   */
  async askForRest() {
    this.abort = new AbortController();
    const { signal } = this.abort;
    const { about } = this;
    const order = [about.baseline, ...about.strategies.filter((each) => each !== about.baseline)];
    for (const replicas of new Set([Math.min(few, about.replicas), about.replicas])) {
      for (const strategy of order.filter((each) => !(this.asked.get(each) >= replicas))) {
        await this.askFor(strategy, replicas, signal);
        if (signal.aborted) return;
        this.asked.set(strategy, replicas);
      }
    }
    this.state.textContent = `${about.replicas} campaigns of each`;
    document.documentElement.dataset.compared = 'all';
  }

  async askFor(strategy, replicas, signal) {
    const { about } = this;
    try {
      await ask({ scenario: about.scenario, strategy, set: [], replicas, seed: about.seed }, signal, (line) => {
        if (line.schema !== 'gridcast.answer/1') return;
        this.state.textContent = `${strategy}: ${line.replicas} of ${line.requested} campaigns`;
        if (line.replicas < (this.answers.get(strategy)?.replicas ?? 0)) return;
        this.answers.set(strategy, line);
        this.drawTable();
      });
    } catch (error) {
      if (!signal.aborted) this.problems.append(el('p', { class: 'notice warning', role: 'alert' }, `${strategy}: ${error.message}`));
    }
  }

  draw() {
    const { about } = this;
    this.table = el('tbody', {});
    this.state = el('p', { class: 'state', role: 'status' });
    this.problems = el('div', {});
    this.metric = el('select', { id: 'metric', on: { change: () => this.drawTable() } },
      about.figures.filter((each) => each.compared).map((each) => el('option', { value: each.name }, each.label)));
    this.replica = el('input', { type: 'number', id: 'replica', min: 0, max: about.replicas - 1, value: 0 });
    this.picked = ['first', 'second'].map((which, i) => el('select', { id: which },
      (i === 0 ? [] : ['(none)']).concat(about.strategies).map((each) => el('option', {}, each))));
    this.place = el('div', {});
    refill(this.element, el('h1', { dir: 'auto' }, about.title),
      el('section', { class: 'part' }, el('h2', {}, 'Strategies side by side'),
        el('p', {}, el('label', { for: 'metric' }, 'By '), this.metric), this.state, this.problems,
        el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Strategies' },
          el('table', { class: 'figures-now' }, el('thead', {}, el('tr', {}, ['Strategy', 'Median (9 of 10 campaigns)', '', `Difference to ${about.baseline}, in pairs`].map((text) => el('th', { scope: 'col' }, text)))), this.table))),
      el('section', { class: 'part' }, el('h2', {}, 'One campaign, job by job'),
        el('p', {}, el('label', { for: 'first' }, 'Under '), this.picked[0], el('label', { for: 'second' }, ' and, with the same random numbers, under '), this.picked[1],
          el('label', { for: 'replica' }, ' campaign '), this.replica, ' ', button('Show', () => this.showCampaigns())), this.place));
    this.drawTable();
  }

  drawTable() {
    const { about } = this;
    const figure = this.metric.value;
    const { unit } = about.figures.find((each) => each.name === figure);
    const base = this.answers.get(about.baseline);
    const top = Math.max(...[...this.answers.values()].map((each) => each.figures[figure].p95 ?? 0), 0);
    refill(this.table, ...about.strategies.map((strategy) => {
      const answer = this.answers.get(strategy);
      const own = answer?.figures[figure];
      const pick = button(strategy, () => { this.picked[0].value = strategy; this.showCampaigns(); }, { class: 'link' });
      return el('tr', {}, el('th', { scope: 'row' }, pick, strategy === about.baseline ? ' (baseline)' : ''),
        el('td', {}, own ? `${valueText(own.p50, unit)} (${valueText(own.p05, unit)} to ${valueText(own.p95, unit)})` : '…'),
        el('td', { class: 'mark' }, own ? intervals(own, null, strategy, top) : null),
        el('td', {}, answer && base && strategy !== about.baseline ? differenceText(paired(answer, base, figure), unit) : ''));
    }));
  }

  async showCampaigns() {
    const wanted = this.picked.map((select) => select.value).filter((each) => each !== '(none)');
    refill(this.place, el('p', { class: 'state', role: 'status' }, 'Playing …'));
    const { about } = this;
    this.abort?.abort(); // it would be ended by the next strategy
    const shown = [];
    for (const strategy of wanted) {
      try {
        const { address } = await post('page', { scenario: this.about.scenario, strategy, set: [], seed: this.about.seed, kind: 'run', replica: Number(this.replica.value) });
        shown.push(el('h3', {}, strategy), el('iframe', { src: `${address}#section-gantt`, class: 'shown-page', title: `Campaign under ${strategy}` }));
      } catch (error) {
        shown.push(el('p', { class: 'notice warning', role: 'alert' }, error.message));
      }
    }
    refill(this.place, ...shown);
    if (!this.left && this.about === about) await this.askForRest();
  }
}
