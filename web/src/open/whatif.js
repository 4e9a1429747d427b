// What if: turn something, and see the answer move.
import { button, el, refill } from '../dom.js';
import { downloadButton } from '../download.js';
import { get, post } from './api.js';
import { Asking } from './asking.js';
import { controlsForm } from './controls.js';
import { answerElement, inShort } from './figures.js';
import { showPage } from './pages.js';
import { commandOf, yamlOf } from './values.js';

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
  constructor() {
    this.asking = new Asking((state) => this.show(state));
    this.result = el('div', { 'aria-live': 'off' });
    this.state = el('p', { class: 'state', role: 'status' });
    this.progress = el('progress', { max: 1, value: 0, 'aria-label': 'Simulated campaigns' });
    this.cancel = button('Stop', () => { this.asking.cancel(); post('cancel', {}); this.asking.tell('Stopped.', false); }, { class: 'quiet' });
    this.differs = el('div', {});
    this.strip = el('p', { class: 'strip', 'aria-hidden': 'true' }); // repeats the answer
    this.element = el('div', {});
    this.visits = 0;
  }

  question() {
    const { about } = this;
    return { scenario: about.scenario, strategy: about.strategy, set: this.form.set(), replicas: about.replicas, seed: about.seed };
  }

  /** @param {string} scenario @param {string} [strategy] */
  async open(scenario, strategy = '') {
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
    this.form = controlsForm(this.about, () => this.asking.soon(() => this.question()));
    this.draw();
    this.asking.soon(() => this.question(), 0);
  }

  leave() {
    this.visits += 1;
    this.asking.cancel();
  }

  draw() {
    const { about } = this;
    const strategies = el('select', { id: 'strategy', on: { change: () => this.open(about.scenario, strategies.value) } },
      about.strategies.map((each) => el('option', { value: each }, each === about.baseline ? `${each} (baseline)` : each)));
    strategies.querySelectorAll('option').forEach((option) => { option.selected = option.value === about.strategy; });
    const { place, make } = pages(() => this.question());
    refill(this.element,
      el('h1', { dir: 'auto' }, about.title),
      about.question ? el('p', { class: 'subtitle', dir: 'auto' }, about.question) : null,
      el('div', { class: 'asking' },
        el('section', { class: 'part', 'aria-label': 'Controls' },
          el('div', { class: 'control' }, el('label', { for: 'strategy' }, 'Strategy to start from'), strategies), this.form.element, this.strip),
        el('section', { class: 'part answers', 'aria-label': 'Answer' }, el('h2', {}, 'Answer'),
          el('div', {}, this.progress, this.state, this.cancel), this.result, this.differs)),
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

  fill({ answer, last, words, running, problem }) {
    this.state.textContent = words;
    this.progress.value = answer ? answer.replicas / answer.requested : 0;
    this.progress.hidden = this.cancel.hidden = !running;
    refill(this.strip, problem || (answer ? inShort(answer, last) : words));
    if (problem) refill(this.result, problemElement(problem));
    else if (answer) refill(this.result, answerElement(this.about.figures, answer, last));
    refill(this.differs, this.whatDiffers(answer, running));
    document.documentElement.dataset.answered = running ? 'growing' : problem ? 'problem' : 'whole';
  }

  whatDiffers(answer, running) {
    const question = this.question();
    const yaml = yamlOf(question.set, question.strategy);
    return el('div', {},
      copyable('Differences from the scenario', yaml || '# nothing'),
      copyable('The same in a terminal', commandOf(question)),
      answer?.result && !running ? el('p', { class: 'files' }, downloadButton('Result (JSON)', 'this answer', 'result.json', 'application/json', () => answer.result)) : null);
  }
}
