// Answers that the reader pins and names. Their questions stand in the address; their figures stay in this tab, and are
// simulated again where they are missing.
import { button, el, refill } from '../dom.js';

const key = 'gridcast.pins';

/** @param {{strategy: string, set: {path: string, value: string}[]}} question */
const textOf = ({ strategy, set }) => JSON.stringify([strategy, ...set.map(({ path, value }) => [path, value])]);

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

export class Pins {
  /**
   * @param {{changed: () => void, open: (pin: any) => void}} calls
   */
  constructor(calls) {
    Object.assign(this, { calls, list: [], scenario: '', against: '' });
    this.element = el('section', { class: 'part pins', 'aria-label': 'Pinned answers' });
    this.name = el('input', { type: 'text', id: 'pin-name', autocomplete: 'off', maxlength: 60, placeholder: 'name of this answer' });
  }

  /** @param {string} scenario @param {import('./address.js').PinnedQuestion[]} questions */
  open(scenario, questions, against = '') {
    const store = kept()[scenario] ?? {};
    this.scenario = scenario;
    this.list = questions.map((each) => ({ ...each, answer: store[textOf(each)] ?? null }));
    this.against = against;
    this.draw(null);
  }

  questions() {
    return this.list.map(({ name, strategy, set }) => ({ name, strategy, set }));
  }

  /** The pinned answer that others are compared with. */
  other() {
    const pin = this.list.find((each) => each.name === this.against && each.answer);
    return pin ? { name: pin.name, answer: pin.answer } : null;
  }

  /** A whole answer came: pins of its question have their figures. */
  seen(question, answer) {
    const same = this.list.filter((each) => !each.answer && textOf(each) === textOf(question));
    same.forEach((each) => this.fill(each, answer));
  }

  fill(pin, answer) {
    const { result, ...figures } = answer;
    pin.answer = figures;
    const store = kept();
    store[this.scenario] = { ...store[this.scenario], [textOf(pin)]: figures };
    try {
      sessionStorage.setItem(key, JSON.stringify(store));
    } catch { /* full: it is simulated again after a reload */ }
  }

  add(question, answer) {
    const wanted = this.name.value.trim() || `answer ${this.list.length + 1}`;
    const taken = (name) => this.list.some((each) => each.name === name);
    const name = taken(wanted) ? `${wanted} (${this.list.length + 1})` : wanted;
    const pin = { name, strategy: question.strategy, set: question.set, answer: null };
    this.fill(pin, answer);
    this.list.push(pin);
    this.name.value = '';
    this.calls.changed();
  }

  remove(pin) {
    this.list = this.list.filter((each) => each !== pin);
    this.calls.changed();
  }

  /** @param {{question: any, answer: any}|null} now the whole answer, if there is one */
  draw(now) {
    const holds = this.element.contains(document.activeElement);
    if (holds && this.drawn === Boolean(now) && this.rows === this.list.length) return; // someone writes a name
    [this.drawn, this.rows] = [Boolean(now), this.list.length];
    const pin = el('button', { type: 'submit', disabled: !now }, 'Pin this answer');
    const choice = el('select', { id: 'against', on: { change: () => { this.against = choice.value; this.calls.changed(); } } },
      el('option', { value: '' }, 'the last answer'), this.list.filter((each) => each.answer).map((each) => el('option', { value: each.name }, each.name)));
    choice.value = this.other() ? this.against : '';
    refill(this.element, el('h2', {}, 'Pinned answers'),
      el('form', { class: 'row', on: { submit: (event) => { event.preventDefault(); if (now) this.add(now.question, now.answer); } } },
        el('label', { for: 'pin-name', class: 'hidden' }, 'Name of this answer'), this.name, ' ', pin),
      this.list.length ? el('p', {}, el('label', { for: 'against' }, 'Compare with '), choice) : null,
      el('ul', {}, this.list.map((each) => el('li', {},
        button(each.name, () => this.calls.open(each), { class: 'link' }), ': ', each.answer ? each.answer.short : 'not simulated in this tab; its name simulates it', ' ',
        button('Remove', () => this.remove(each), { class: 'quiet', 'aria-label': `Remove: ${each.name}` })))));
  }
}
