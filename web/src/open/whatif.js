// What if: a setting is changed, and the answer moves.
import { button, el, refill } from '../dom.js';
import { downloadButton } from '../download.js';
import { get, post } from './api.js';
import { Asking } from './asking.js';
import { controlsForm } from './controls.js';
import { answerElement, inShort } from './figures.js';
import { goalControl, withoutGoal } from './goal.js';
import { showPage } from '../pages.js';
import { Pins } from './pins.js';
import { commandOf, resultText, yamlOf } from './values.js';

function copyable(title, text) {
  const copy = button('Copy', () => navigator.clipboard.writeText(text), { class: 'quiet', 'aria-label': `Copy: ${title}` });
  return el('div', { class: 'copyable' }, el('h3', {}, title, ' ', copy), el('pre', { tabindex: '0', role: 'region', 'aria-label': title }, text));
}

function problemElement(text) {
  return text ? el('p', { class: 'notice warning', role: 'alert' }, text) : null;
}

/** A page that gridcast makes of the question, shown below. */
function pages(question) {
  const place = el('div', {});
  const make = (kind, more = {}) => showPage(place, post('page', { ...question(), kind, ...more }), 'Report page');
  return { place, make };
}

export class WhatIf {
  /**
   * @param {(part: {strategy: string, set: any[], pins: any[]}) => void} noted of another state
   * @param {(missing: string[]) => void} warned of parts of a link that are not here
   */
  constructor(noted, warned) {
    Object.assign(this, { noted, warned });
    this.asking = new Asking((state) => this.show(state));
    this.pins = new Pins({ changed: () => this.pinned(), open: (pin) => this.open(this.about.scenario, { ...pin, pins: this.pins.questions() }) });
    this.result = el('div', { 'aria-live': 'off' });
    this.state = el('p', { class: 'state', role: 'status' });
    this.progress = el('progress', { max: 1, value: 0, 'aria-label': 'Simulated campaigns' });
    this.cancel = button('Stop', () => { this.asking.cancel(); post('cancel', {}); this.asking.tell('Stopped.', false); }, { class: 'quiet' });
    this.differs = el('div', {});
    this.strip = el('p', { class: 'strip', 'aria-hidden': 'true' }); // repeats the answer
    this.element = el('div', {});
    this.visits = 0;
    this.checks = 0;
  }

  set() {
    return [...this.form.set(), ...this.goal.set()];
  }

  question() {
    const { about } = this;
    return { scenario: about.scenario, strategy: about.strategy, set: this.set(), replicas: about.replicas, seed: about.seed };
  }

  /** @param {string} scenario @param {{strategy?: string, set?: any[], pins?: any[]}} [from] the state to show */
  async open(scenario, { strategy = '', set = [], pins = [], against = '' } = {}) {
    const keeps = this.about?.scenario === scenario;
    this.visits += 1;
    const visit = this.visits;
    try {
      const about = await get('scenario', { file: scenario, strategy });
      if (visit !== this.visits) return; // a question now would end a question asked elsewhere
      this.about = about;
    } catch (error) {
      if (visit !== this.visits) return;
      this.about = null;
      refill(this.element, problemElement(error.message));
      return;
    }
    if (!keeps) this.asking.reset();
    const known = pins.filter((pin) => !pin.strategy || this.about.strategies.includes(pin.strategy));
    if (!keeps || known.length !== this.pins.list.length) this.pins.open(scenario, known, against);
    this.form = controlsForm(this.about, () => this.turned(), withoutGoal(set));
    this.goal = goalControl(this.about, () => this.turned(), set);
    this.warned([
      ...[...this.form.lost(), ...this.goal.lost()].map((each) => `The link sets ${each}, which no control of the strategy ${this.about.strategy} takes. The answer is without it.`),
      ...pins.filter((pin) => !known.includes(pin)).map((pin) => `The link has the pinned answer “${pin.name}” of the strategy ${pin.strategy}, which this scenario does not have.`),
    ]);
    this.draw();
    this.note();
    if (set.length > 0) this.check();
    this.asking.soon(() => this.question(), 0);
  }

  leave() {
    this.visits += 1;
    this.asking.cancel();
  }

  note() {
    this.noted({ strategy: this.about.strategy === this.about.baseline ? '' : this.about.strategy, set: this.set(), pins: this.pins.questions(), against: this.pins.against });
  }

  /** A value was changed: one that cannot be leaves address and answer as they are. */
  turned() {
    if (!this.form.valid() || this.goal.refused()) return;
    this.note();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), 150);
    this.asking.soon(() => this.question());
  }

  /** Which controls have an effect beside the present values. */
  async check() {
    this.checks += 1;
    const [check, { form }] = [this.checks, this];
    // The question itself gets the complaint. Its cure may be a value that had no effect before, so all can be turned then.
    const found = await post('reasons', this.question()).catch(() => ({ no_effect: {} }));
    if (check === this.checks && form === this.form) form.effects(found.no_effect);
  }

  pinned() {
    this.note();
    this.fill(this.shown);
  }

  presets() {
    const { about } = this;
    const choose = (each) => this.open(about.scenario, { strategy: each, set: this.goal.set(), pins: this.pins.questions() });
    const strategies = el('select', { id: 'strategy', on: { change: () => choose(strategies.value) } },
      about.strategies.map((each) => el('option', { value: each, selected: each === about.strategy }, each === about.baseline ? `${each} (baseline)` : each)));
    return el('div', { class: 'control' }, el('label', { for: 'strategy' }, 'Start from a strategy'), strategies,
      about.abouts[about.strategy] ? el('p', { class: 'hint', dir: 'auto' }, about.abouts[about.strategy]) : null);
  }

  draw() {
    const { about } = this;
    const { place, make } = pages(() => this.question());
    refill(this.element,
      el('h1', { dir: 'auto' }, about.title),
      about.question ? el('p', { class: 'subtitle', dir: 'auto' }, about.question) : null,
      ...(about.assumed ?? []).map((each) => el('p', { class: 'note assumed', dir: 'auto' }, each)),
      el('div', { class: 'asking' },
        el('section', { class: 'part', 'aria-label': 'Controls' }, this.presets(), this.goal.element, this.form.element, this.strip),
        el('section', { class: 'part answers', 'aria-label': 'Answer' }, el('h2', {}, 'Answer'),
          el('div', {}, this.progress, this.state, this.cancel), this.result, this.differs)),
      this.pins.element,
      el('section', { class: 'part more', 'aria-label': 'More of it' }, el('h2', {}, 'More of it'),
        el('p', {},
          button('Report page of this answer', () => make('predict')), ' ',
          button('All strategies of the scenario', () => make('compare')), ' ',
          button('One campaign, job by job', () => make('run', { replica: 0 }))),
        place));
  }

  /** The part above a control grows, and the control in use stays in its place. */
  show(state) {
    const held = this.form?.element.contains(document.activeElement) ? document.activeElement : null;
    const before = held?.getBoundingClientRect().top;
    this.fill(state);
    const moved = held ? held.getBoundingClientRect().top - before : 0;
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
  }

  /** A pinned answer that the reader chose, else the last one. */
  other(last) {
    return this.pins.other() ?? (last ? { name: 'the last answer', answer: last } : null);
  }

  fill(state) {
    if (!state) return;
    this.shown = state;
    const { answer, last, words, running, problem } = state;
    const atField = this.form.complain(problem);
    const other = this.other(last);
    const current = this.asking.answered === this.asking.question;
    if (answer?.last && current) this.pins.seen(this.asking.question, answer);
    this.state.textContent = problem ? `Not answered${atField ? ', see the field' : ''}. ${answer ? 'The last answer stays below.' : ''}` : words;
    this.progress.value = answer ? answer.replicas / answer.requested : 0;
    this.progress.hidden = this.cancel.hidden = !running;
    refill(this.strip, problem || (answer ? inShort(answer, other) : words));
    refill(this.result, atField ? null : problemElement(problem), answer ? answerElement(this.about.figures, answer, other) : null);
    refill(this.differs, this.whatDiffers(answer, running));
    this.pins.draw(answer?.last && current && !running && !problem ? { question: this.asking.question, answer } : null);
    document.documentElement.dataset.answered = running ? 'growing' : problem ? 'problem' : 'whole';
  }

  whatDiffers(answer, running) {
    const question = this.question();
    const yaml = yamlOf(question.set, question.strategy);
    return el('div', {},
      copyable('Differences from the scenario', yaml || '# nothing'),
      copyable('The same in a terminal', commandOf(question, this.about.work)),
      answer?.result && !running ? el('p', { class: 'files' }, downloadButton('Result (JSON)', 'this answer', 'result.json', 'application/json', () => resultText(answer.result, this.about))) : null);
  }
}
