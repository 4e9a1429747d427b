// Lessons in the browser: the question, a guess, the run, the answer, the next. How far one is stays
// in this browser. The goal of a lesson is shown afterwards: it would answer the question.
//
// A source of lessons has lessons(), does(body) with a body as the server takes it (sim/serve/question.hpp), and, if it
// can, page(body). `solves`: it has solutions, and takes names. Lessons with `runs` have these runs and no others.
import { button, el, idOf, refill } from '../dom.js';
import { together } from '../together.js';
import { Runs, figureText } from './lesson_runs.js';

const key = 'gridcast.lessons';
const kept = () => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
};
const keep = (number, what) => localStorage.setItem(key, JSON.stringify({ ...kept(), [number]: { ...kept()[number], ...what } }));

const goTo = (lesson) => { location.hash = lesson ? `lesson-${lesson.lesson}` : 'lessons'; };

function notice(text, wrong) {
  return el('p', { class: wrong ? 'verdict wrong' : 'verdict', role: 'status' }, together(text));
}

/** Fields that Enter sends, as a button of theirs does. */
function form(submit, ...children) {
  return el('form', { on: { submit: (event) => { event.preventDefault(); submit(); } } }, ...children);
}

/** Where an answer, or a guess at it, is written: a list where there is something to choose from. */
function answerField(lesson, id) {
  if (lesson.choices.length === 0) return el('input', { type: 'text', id, autocomplete: 'off' });
  return el('select', { id }, el('option', { value: '' }, 'choose'),
    lesson.choices.map((each) => el('option', { value: each.name }, each.name)));
}

/** Of the words for the terminal: the strategy has a list here, and all figures are shown. */
const here = (text) => text.replaceAll('--strategy ', 'the strategy: ');

/** The changes of a run, in words. @param {any} lesson @param {string} strategy @param {{path: string, value: string}[]} set */
function changesIn(lesson, strategy, set) {
  const words = (path) => lesson.knobs.find((each) => each.path === path)?.words ?? path;
  const parts = [strategy ? `strategy ${strategy}` : '', ...set.map(({ path, value }) => `${words(path)}: ${value}`)];
  return parts.filter(Boolean).join('; ') || 'as in the lesson';
}

export class Lessons {
  /** @param {any} source */
  constructor(source) {
    this.source = source;
    this.element = el('div', {});
    this.teacher = false;
    this.student = kept().student?.name ?? '';
  }

  async open(number) {
    this.coming ??= this.source.lessons(); // one request: the last of two waiting pages is shown
    try {
      this.list = await this.coming;
    } catch (error) {
      this.coming = undefined;
      return refill(this.element, notice(error.message, true));
    }
    const lesson = this.list.find((each) => each.lesson === number);
    if (this.element.isConnected) document.title = lesson ? `gridcast: lesson ${number}` : 'gridcast: lessons'; // else someone went elsewhere
    if (lesson) return this.show(lesson);
    return this.overview(number ? `There is no lesson ${number} here.` : '');
  }

  /** @param {string} problem of the address that was followed; empty: none */
  overview(problem = '') {
    const done = kept();
    const name = el('input', { type: 'text', id: 'student', autocomplete: 'off', value: this.student, on: { change: () => { this.student = name.value.trim(); keep('student', { name: this.student }); } } });
    const teacher = el('input', { type: 'checkbox', id: 'teacher', on: { change: () => { this.teacher = teacher.checked; list(); } } });
    teacher.checked = this.teacher;
    const lessons = el('ol', { class: 'lessons' });
    const list = () => refill(lessons, ...this.list.map((lesson) => el('li', {},
      button(`${lesson.lesson}. ${lesson.title}`, () => goTo(lesson), { class: 'link' }),
      done[lesson.lesson]?.right ? el('span', { class: 'note' }, ' done') : null,
      (done[lesson.lesson]?.right || this.teacher) && lesson.goal ? el('div', { class: 'note' }, lesson.goal) : null)));
    list();
    refill(this.element, el('h1', {}, 'Lessons'), problem ? notice(problem, true) : null,
      el('section', { class: 'part' }, lessons,
        this.source.solves ? el('p', {}, el('label', { for: 'student' }, 'Your name, if the class was asked for one: other random numbers for each '), name) : null,
        this.source.solves ? el('p', {}, el('label', { for: 'teacher' }, teacher, ' Teacher’s view, with solutions')) : null));
  }

  knobs(lesson) {
    return lesson.knobs.map(({ path, words, premise }) => {
      const id = idOf('knob', path);
      const field = el('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', placeholder: premise ? `${premise} in the lesson` : 'as in the lesson' });
      return { path, field, element: el('div', { class: 'control' }, el('label', { for: id, title: path }, words), field) };
    });
  }

  /** Fields for the settings of a run, and what they ask for. */
  settings(lesson) {
    const several = lesson.strategies.length > 1;
    if (lesson.runs) {
      // Ordered by their values: the order in the lesson would show which runs belong to its answer.
      const words = lesson.runs.map((run) => changesIn(lesson, several ? run.strategy : '', run.set));
      const order = [...words.keys()].sort((a, b) => (a && b ? words[a].localeCompare(words[b], 'en', { numeric: true }) : a - b));
      const runs = el('select', { id: 'prepared' }, order.map((i) => el('option', { value: i }, words[i])));
      return {
        elements: [el('p', {}, el('label', { for: 'prepared' }, 'Run '), runs)],
        asked: () => ({ set: lesson.runs[runs.value].set, strategy: lesson.runs[runs.value].strategy }),
      };
    }
    const knobs = this.knobs(lesson);
    const strategy = el('select', { id: 'lesson-strategy' }, lesson.strategies.map((each) => el('option', {}, each)));
    return {
      elements: [several ? el('p', {}, el('label', { for: 'lesson-strategy' }, 'Strategy '), strategy) : null, ...knobs.map((each) => each.element)],
      asked: () => ({
        set: knobs.filter(({ field }) => field.value.trim() !== '').map(({ path, field }) => ({ path, value: field.value.trim() })),
        strategy: several ? strategy.value : '',
      }),
    };
  }

  show(lesson) {
    const guess = answerField(lesson, 'guess');
    guess.value = kept()[lesson.lesson]?.guess ?? '';
    guess.addEventListener('change', () => keep(lesson.lesson, { guess: guess.value.trim() }));
    refill(this.element,
      el('p', {}, button('All lessons', () => goTo(null), { class: 'quiet' })),
      el('h1', {}, `Lesson ${lesson.lesson}: ${lesson.title}`),
      el('section', { class: 'part lesson' },
        el('ol', { class: 'steps' },
          el('li', {}, el('h2', {}, 'The question'), el('p', {}, together(lesson.question)),
            lesson.choices.length ? el('ul', {}, lesson.choices.map((each) => el('li', {}, `${each.name}: ${each.text}`))) : null),
          el('li', {}, el('h2', {}, 'Your guess, before anything is run'), el('p', {}, el('label', { for: 'guess' }, 'Expected result: '), guess)),
          el('li', {}, el('h2', {}, 'Try it'), this.trying(lesson, guess)),
          el('li', {}, el('h2', {}, 'Your answer'), this.answering(lesson))),
        this.teacher ? this.solution(lesson) : null));
  }

  trying(lesson, guess) {
    const settings = this.settings(lesson);
    const runs = new Runs();
    const run = el('button', { type: 'submit' }, 'Run it');
    const first = el('span', { class: 'note' }, ' after a guess');
    const ready = () => { run.disabled = guess.value.trim() === ''; first.hidden = !run.disabled; };
    guess.addEventListener('input', ready);
    ready();
    const simulate = () => this.run(lesson, { number: lesson.lesson, guess: guess.value.trim(), ...settings.asked(), name: this.student }, runs);
    return el('div', {}, el('p', { class: 'note' }, `Look at ${here(lesson.look_at)}.`),
      form(simulate, settings.elements,
        el('p', {}, run, first, this.student && this.source.solves ? el('span', { class: 'note' }, ` with the random numbers of ${this.student}`) : null)),
      runs.element);
  }

  async run(lesson, asked, runs) {
    runs.wait();
    try {
      const ran = await this.source.does({ do: 'run', ...asked });
      const strategy = lesson.strategies.length > 1 ? asked.strategy : '';
      runs.add(changesIn(lesson, strategy, asked.set), ran, this.source.page ? () => this.source.page({ do: 'page', ...asked }) : null);
      keep(asked.number, { guess: asked.guess });
    } catch (error) {
      runs.failed(error.message);
    }
  }

  answering(lesson) {
    const field = answerField(lesson, 'answer');
    const place = el('div', {});
    const check = async () => {
      try {
        const checked = await this.source.does({ do: 'check', number: lesson.lesson, answer: field.value, name: this.student });
        refill(place, notice(`${checked.right ? 'Right. ' : 'Not right. '}${here(checked.why ?? checked.hint)}`, !checked.right));
        if (!checked.right) return;
        keep(lesson.lesson, { right: true });
        if (checked.first_guess) place.append(el('p', { class: 'first-guess' }, together(checked.first_guess.says)));
        place.append(el('p', { class: 'subtitle' }, `${checked.goal ?? lesson.goal}.`), this.next(lesson));
      } catch (error) {
        refill(place, notice(error.message, true));
      }
    };
    return el('div', {}, form(check, el('p', {}, el('label', { for: 'answer' }, 'The answer '), field, ' ', el('button', { type: 'submit' }, 'Check'))), place);
  }

  next(lesson) {
    const next = this.list[this.list.indexOf(lesson) + 1];
    return el('p', {}, next ? button(`Next: lesson ${next.lesson}, ${next.title}`, () => goTo(next)) : 'That was the last lesson.');
  }

  solution(lesson) {
    const place = el('div', {});
    const details = el('details', {}, el('summary', {}, 'Solution'), place);
    details.addEventListener('toggle', async () => {
      if (!details.open || place.childElementCount > 0) return;
      refill(place, el('p', { class: 'state' }, 'Running …'));
      const solved = await this.source.does({ do: 'solution', number: lesson.lesson, name: this.student });
      refill(place, el('ul', {}, solved.runs.map((each) => el('li', {}, el('code', {}, each.command), `: ${each.value === null ? 'none' : figureText(solved.figure, each.value)}`))),
        el('p', {}, `Answer: ${solved.expected}. ${here(solved.why)}`),
        el('p', {}, solved.first_guess?.says ?? ''));
    });
    return details;
  }
}
