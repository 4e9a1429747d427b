// Lessons that are played: the question, a guess, the run, the answer, the next. How far one is stays
// in this browser.
import { button, el, idOf, refill } from '../dom.js';
import { significant, span } from '../format.js';
import { get, post } from './api.js';

const key = 'gridcast.lessons';
const kept = () => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
};
const keep = (number, what) => localStorage.setItem(key, JSON.stringify({ ...kept(), [number]: { ...kept()[number], ...what } }));

const figureText = ({ value, unit }) => (value === null ? 'none' : unit === 's' ? span(value) : `${significant(value, 4)}${unit ? ` ${unit}` : ''}`);

function notice(text, wrong) {
  return el('p', { class: wrong ? 'verdict wrong' : 'verdict', role: 'status' }, text);
}

/** Where an answer, or a guess at it, is written: a list where there is something to choose from. */
function answerField(lesson, id) {
  if (lesson.choices.length === 0) return el('input', { type: 'text', id, autocomplete: 'off' });
  return el('select', { id }, el('option', { value: '' }, 'choose'),
    lesson.choices.map((each) => el('option', { value: each.name }, each.name)));
}

async function lessonDoes(body) {
  const { exit, out, complaints } = await post('lesson', body);
  if (exit !== 0 && exit !== 4) throw new Error(complaints.trim());
  return JSON.parse(out);
}

export class Lessons {
  constructor() {
    this.element = el('div', {});
    this.teacher = false;
    this.student = kept().student?.name ?? '';
  }

  async open(number) {
    this.list ??= (await get('lessons')).lessons;
    const lesson = this.list.find((each) => each.lesson === number);
    if (lesson) return this.show(lesson);
    return this.overview();
  }

  overview() {
    const done = kept();
    const name = el('input', { type: 'text', id: 'student', autocomplete: 'off', value: this.student, on: { change: () => { this.student = name.value.trim(); keep('student', { name: this.student }); } } });
    const teacher = el('input', { type: 'checkbox', id: 'teacher', on: { change: () => { this.teacher = teacher.checked; } } });
    teacher.checked = this.teacher;
    refill(this.element, el('h1', {}, 'Lessons'),
      el('section', { class: 'part' },
        el('ol', { class: 'lessons' }, this.list.map((lesson) => el('li', {},
          button(`${lesson.lesson}. ${lesson.title}`, () => this.show(lesson), { class: 'link' }),
          done[lesson.lesson]?.right ? el('span', { class: 'note' }, ' done') : null,
          el('div', { class: 'note' }, lesson.goal)))),
        el('p', {}, el('label', { for: 'student' }, 'Your name, where the class was told to give one: other luck for each '), name),
        el('p', {}, el('label', { for: 'teacher' }, teacher, ' Teacher’s view, with solutions'))));
  }

  knobs(lesson) {
    return lesson.knobs.map((path) => {
      const id = idOf('knob', path);
      const field = el('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', placeholder: lesson.premise[path] ? `${lesson.premise[path]} in the lesson` : 'as in the lesson' });
      return { path, field, element: el('div', { class: 'control' }, el('label', { for: id }, el('code', {}, path)), field) };
    });
  }

  show(lesson) {
    const knobs = this.knobs(lesson);
    const strategy = el('select', { id: 'lesson-strategy' }, (lesson.strategies ?? []).map((each) => el('option', {}, each)));
    const place = el('div', {});
    const guess = answerField(lesson, 'guess');
    const before = kept()[lesson.lesson]?.guess;
    if (before) guess.value = before;
    const run = button('Run it', () => this.run(lesson, knobs, strategy, guess, place));
    run.disabled = guess.value.trim() === '';
    guess.addEventListener('input', () => { run.disabled = guess.value.trim() === ''; });
    refill(this.element,
      el('p', {}, button('All lessons', () => this.overview(), { class: 'quiet' })),
      el('h1', {}, `Lesson ${lesson.lesson}: ${lesson.title}`),
      el('section', { class: 'part lesson' }, el('p', { class: 'subtitle' }, lesson.goal),
        el('ol', { class: 'steps' },
          el('li', {}, el('h2', {}, 'The question'), el('p', {}, lesson.question),
            lesson.choices.length ? el('ul', {}, lesson.choices.map((each) => el('li', {}, `${each.name}: ${each.text}`))) : null),
          el('li', {}, el('h2', {}, 'Your guess, before anything is run'), el('p', {}, el('label', { for: 'guess' }, 'What will come out? '), guess)),
          el('li', {}, el('h2', {}, 'Try it'), el('p', { class: 'note' }, `Look at ${lesson.look_at}. Change ${lesson.change}.`),
            lesson.strategies?.length > 1 ? el('p', {}, el('label', { for: 'lesson-strategy' }, 'Strategy '), strategy) : null,
            knobs.map((each) => each.element), el('p', {}, run), place),
          el('li', {}, el('h2', {}, 'Your answer'), this.answering(lesson, guess))),
        this.teacher ? this.solution(lesson) : null));
  }

  async run(lesson, knobs, strategy, guess, place) {
    const set = knobs.filter(({ field }) => field.value.trim() !== '').map(({ path, field }) => ({ path, value: field.value.trim() }));
    const of = place.appendChild(el('p', { class: 'state', role: 'status' }, 'Running …'));
    try {
      const chosen = lesson.strategies?.length > 1 ? strategy.value : '';
      const ran = await lessonDoes({ do: 'run', number: lesson.lesson, guess: guess.value.trim(), set, strategy: chosen, name: this.student });
      const changed = [chosen, ...set.map(({ path, value }) => `${path}=${value}`)].filter(Boolean).join(', ') || 'as in the lesson';
      of.replaceWith(notice(`${changed}: ${ran.figure} = ${figureText(ran)}. You guessed ${ran.guess.answer}. ${ran.guess.says}`.trim(), false));
      keep(lesson.lesson, { guess: guess.value.trim() });
    } catch (error) {
      of.replaceWith(notice(error.message, true));
    }
  }

  answering(lesson, guess) {
    const id = 'answer';
    const field = answerField(lesson, id);
    const place = el('div', {});
    const check = async () => {
      try {
        const checked = await lessonDoes({ do: 'check', number: lesson.lesson, answer: field.value, name: this.student });
        refill(place, notice(`${checked.right ? 'Right. ' : 'Not right. '}${checked.why ?? checked.hint}`, !checked.right));
        if (!checked.right) return;
        keep(lesson.lesson, { right: true });
        if (checked.first_guess) place.append(el('p', { class: 'first-guess' }, checked.first_guess.says));
        place.append(this.next(lesson));
      } catch (error) {
        refill(place, notice(error.message, true));
      }
    };
    guess.addEventListener('change', () => keep(lesson.lesson, { guess: guess.value.trim() }));
    return el('div', {}, el('p', {}, el('label', { for: id }, 'The answer '), field, ' ', button('Check', check)), place);
  }

  next(lesson) {
    const at = this.list.indexOf(lesson);
    const next = this.list[at + 1];
    return el('p', {}, next ? button(`Next: lesson ${next.lesson}, ${next.title}`, () => this.show(next)) : 'That was the last lesson.');
  }

  solution(lesson) {
    const place = el('div', {});
    const details = el('details', {}, el('summary', {}, 'Solution'), place);
    details.addEventListener('toggle', async () => {
      if (!details.open || place.childElementCount > 0) return;
      refill(place, el('p', { class: 'state' }, 'Running …'));
      const solved = await lessonDoes({ do: 'solution', number: lesson.lesson, name: this.student });
      refill(place, el('ul', {}, solved.runs.map((each) => el('li', {}, el('code', {}, each.command), `: ${figureText({ value: each.value, unit: solved.unit })}`))),
        el('p', {}, `Answer: ${solved.expected}. ${solved.why}`),
        el('p', {}, solved.first_guess?.says ?? ''));
    });
    return details;
  }
}
