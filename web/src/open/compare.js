// The strategies of a scenario side by side, each with the same random numbers, and the choice between them in the words
// of `gridcast compare`; of a picked one, one campaign job by job, and of two of them the same campaign on one axis.
import { button, el, refill } from '../dom.js';
import { passOn } from '../gantt/frames.js';
import { ask, get, post } from './api.js';
import { differenceText, rangeText } from './figures.js';
import { goalControl, withoutGoal } from './goal.js';
import { paired } from './paired.js';
import { intervals, topOf } from './plots.js';
import { compareCommandOf } from './values.js';

/** The settings that strategies share, and those of one of them. @param {{path: string}[]} set @param {string} strategy */
const settingsOf = (set, strategy) => set.filter(({ path }) => !path.startsWith('strategies.') || path.startsWith(`strategies.${strategy}.`));

export class Compare {
  /** @param {(part: {set: any[]}) => void} noted of another goal @param {(missing: string[]) => void} warned of parts of a link that are not here */
  constructor(noted, warned) {
    Object.assign(this, { noted, warned });
    this.element = el('div', {});
    this.abort = null;
    passOn(() => [...(this.place?.querySelectorAll('iframe') ?? [])]);
  }

  /** @param {string} scenario @param {{strategy?: string, set?: any[]}} [from] settings that stand in the address */
  async open(scenario, { strategy = '', set = [], ...chosen } = {}) {
    this.abort?.abort();
    this.left = false;
    const about = await get('scenario', { file: scenario, strategy }).catch((error) => error);
    if (this.left) return; // a question now would end a question asked elsewhere
    if (about instanceof Error) return void refill(this.element, el('p', { class: 'notice warning', role: 'alert' }, about.message));
    this.goal = goalControl(about, () => this.chosen(), set);
    this.warned(this.goal.lost().map((each) => `The link sets ${each}, which is no goal. The answer is without it.`));
    Object.assign(this, { about, set: [...withoutGoal(set), ...this.goal.set()], answer: null, whole: false });
    this.draw();
    this.choose(chosen);
    await this.ask();
  }

  /** Choices that stand in the address, as far as they are here. */
  choose(chosen) {
    for (const [name, field] of Object.entries(this.choices())) {
      const here = field.options ? [...field.options].some((each) => each.value === chosen[name]) : /^\d+$/.test(chosen[name] ?? '');
      if (here) field.value = chosen[name];
    }
  }

  choices() {
    return { metric: this.metric, first: this.picked[0], second: this.picked[1], replica: this.replica };
  }

  /** Into the address; the defaults need not stand there. */
  chose() {
    this.noted(Object.fromEntries(Object.entries(this.choices()).map(([name, field]) => [name, field.value === (field.options?.[0].value ?? '0') ? '' : field.value])));
  }

  /** Another goal: the strategies are ordered anew. The table stays until then. */
  async chosen() {
    this.set = [...withoutGoal(this.set), ...this.goal.set()];
    Object.assign(this, { answer: null, whole: false });
    delete document.documentElement.dataset.compared;
    this.noted({ set: this.set });
    this.abort?.abort();
    this.state.textContent = 'Asking …';
    this.settings();
    await this.ask();
  }

  /** The values that differ from the scenario's, and the command. */
  settings() {
    const { about } = this;
    const own = withoutGoal(this.set);
    refill(this.with, own.length ? el('p', { class: 'note' }, 'With ', el('code', {}, own.map(({ path, value }) => `${path}=${value}`).join(', '))) : null,
      el('p', { class: 'hint' }, 'The same in a terminal: ', el('code', {}, compareCommandOf({ ...this.question(about.strategy), replicas: about.replicas }, about.work))));
  }

  leave() {
    this.left = true;
    this.abort?.abort();
  }

  question(strategy) {
    const { scenario, seed } = this.about;
    return { scenario, strategy, set: settingsOf(this.set, strategy), seed };
  }

  /** All strategies in turn: some campaigns of each, then more of those that can still be best. */
  async ask() {
    this.abort = new AbortController();
    const { signal } = this.abort;
    const { about } = this;
    refill(this.problems);
    let end = null;
    try {
      await ask({ ...this.question(about.strategy), replicas: about.replicas, compare: true }, signal, (line) => {
        if (signal.aborted) return;
        if (line.schema === 'gridcast.strategies/1') this.grown(line);
        else end = line;
      });
    } catch (error) {
      end = { problem: error.message };
    }
    if (signal.aborted) return;
    const problem = end?.problem ?? (end?.exit ? end.complaints : '');
    if (problem) this.problems.append(el('p', { class: 'notice warning', role: 'alert' }, problem));
    if (this.answer?.last) document.documentElement.dataset.compared = 'all';
  }

  grown(answer) {
    if (answer.replicas < (this.answer?.replicas ?? 0)) return; // asked again after a campaign was shown
    this.answer = answer;
    this.whole = answer.last;
    this.drawAnswer();
  }

  draw() {
    const { about } = this;
    this.verdict = el('div', { class: 'verdict-box' });
    this.table = el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Strategies' });
    this.state = el('p', { class: 'state', role: 'status' }, 'Asking …');
    this.problems = el('div', {});
    this.metric = el('select', { id: 'metric', on: { change: () => { this.chose(); this.drawAnswer(); } } },
      about.figures.filter((each) => each.compared).map((each) => el('option', { value: each.name }, each.label)));
    this.replica = el('input', { type: 'number', id: 'replica', min: 0, max: about.replicas - 1, value: 0, on: { change: () => this.chose() } });
    this.picked = ['first', 'second'].map((which, i) => el('select', { id: which, on: { change: () => this.chose() } },
      (i === 0 ? [] : ['(none)']).concat(about.strategies).map((each) => el('option', {}, each))));
    this.place = el('div', {});
    this.with = el('div', {});
    this.settings();
    refill(this.element, el('h1', { dir: 'auto' }, about.title),
      el('section', { class: 'part' }, el('h2', {}, 'Which strategy is better'),
        this.goal.element, el('p', { class: 'note' }, `${Math.round(100 * about.wanted)} % of the jobs have to succeed.`),
        this.verdict, this.state, this.problems, this.table, this.with,
        el('p', {}, el('label', { for: 'metric' }, 'Last columns: '), this.metric)),
      el('section', { class: 'part' }, el('h2', {}, 'One campaign, job by job'),
        el('p', {}, el('label', { for: 'first' }, 'Under '), this.picked[0], el('label', { for: 'second' }, ' and, with the same random numbers, under '), this.picked[1],
          el('label', { for: 'replica' }, ' campaign '), this.replica, ' ', button('Show', () => this.showCampaigns())), this.place));
  }

  drawAnswer() {
    const { answer } = this;
    if (!answer) return;
    this.state.textContent = answer.last ? `${answer.replicas} campaigns of each` : `${answer.replicas} of ${answer.requested} campaigns of each`;
    refill(this.verdict, answer.verdict ? el('p', { class: 'first' }, answer.verdict) : null,
      ...[answer.about, answer.deadline, answer.trade_off, answer.evidence].filter(Boolean).map((text) => el('p', {}, text)));
    const figure = this.metric.value;
    const { unit } = this.about.figures.find((each) => each.name === figure);
    const base = answer.strategies.find((each) => each.name === answer.baseline);
    const top = topOf(answer.strategies.map((each) => each.figures[figure]));
    const heads = ['Strategy', 'Jobs that finish', `${answer.time_unit} to ${answer.wanted} jobs`, ...(answer.by ? [`Done by ${answer.by}`] : []),
      'GPU hours', ...(answer.currency ? [answer.currency] : []), 'Best in draws', '', `Median difference to ${answer.baseline}`];
    refill(this.table, el('table', { class: 'figures-now strategies-now' },
      el('thead', {}, el('tr', {}, heads.map((text) => el('th', { scope: 'col' }, text)))),
      el('tbody', {}, answer.strategies.map((each) => this.row(each, heads, { base, figure, unit, top })))));
  }

  row(each, heads, { base, figure, unit, top }) {
    const own = each.figures[figure];
    const pick = button(each.name, () => { this.picked[0].value = each.name; this.showCampaigns(); }, { class: 'link' });
    const cells = [each.jobs, each.time, each.met, each.gpu_hours, each.money].filter((text) => text !== undefined);
    cells.push(each.best_in_draws === null ? '–' : `${Math.round(100 * each.best_in_draws)} %`);
    return el('tr', { class: each.best ? 'best' : null },
      el('th', { scope: 'row' }, pick, each.name === base.name ? ' (baseline)' : '',
        el('div', { class: 'note', dir: 'auto' }, each.about.replace(`${each.name}: `, ''), each.stopped ? ' Stopped early: it cannot be best.' : '')),
      cells.map((text, i) => el('td', { 'data-head': heads[i + 1] }, text)),
      el('td', { class: 'mark' }, intervals(own, null, `${each.name}: ${rangeText(own, unit)}`, top)),
      el('td', {}, each === base ? '' : differenceText(paired(each, base, figure), unit)));
  }

  async showCampaigns() {
    this.chose();
    const wanted = this.picked.map((select) => select.value).filter((each) => each !== '(none)');
    refill(this.place, el('p', { class: 'state', role: 'status' }, 'Simulating …'));
    const { about } = this;
    this.abort?.abort(); // this question would end it
    const shown = [];
    for (const strategy of new Set(wanted)) {
      try {
        const { address } = await post('page', { ...this.question(strategy), kind: 'run', replica: Number(this.replica.value) });
        shown.push(el('h3', {}, strategy), el('iframe', { src: `${address}#section-gantt`, class: 'shown-page', title: `Campaign under ${strategy}` }));
      } catch (error) {
        shown.push(el('p', { class: 'notice warning', role: 'alert' }, error.message));
      }
    }
    refill(this.place, ...shown);
    if (!this.left && this.about === about && !this.whole) await this.ask();
  }
}
