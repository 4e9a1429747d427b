// The page of `gridcast lesson static`: the lessons with prepared runs, without a server.
import { el, refill } from '../dom.js';
import { themeButton } from '../theme.js';
import { Lessons } from './lessons.js';
import { replyTo } from './sealed.js';

const data = JSON.parse(document.getElementById('gridcast-report').textContent);

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const prepared = {
  lessons: async () => data.lessons,
  async does({ do: what, number, answer, guess, strategy, set }) {
    const lesson = data.lessons.find((each) => each.lesson === number);
    const reply = replyTo(lesson.answers, what === 'run' ? guess : answer);
    if (what === 'check') return { ...reply, first_guess: reply.first_guess ? { says: reply.first_guess } : undefined };
    const run = lesson.runs.find((each) => each.strategy === strategy && same(each.set, set));
    const listed = !reply.right && reply.hint !== lesson.answers.other.hint;
    return { ...run, guess: { answer: guess, says: listed ? reply.hint : '' } };
  },
};

const lessons = new Lessons(prepared);
const numberIn = (hash) => Number(/^#lesson-(\d+)$/.exec(hash)?.[1] ?? 0);

addEventListener('hashchange', () => {
  lessons.open(numberIn(location.hash));
  scrollTo({ top: 0, behavior: 'instant' });
});
refill(document.getElementById('page'),
  el('header', { class: 'bar' }, el('span', { class: 'brand' }, 'gridcast'), el('span', { class: 'kind' }, 'lessons'), themeButton()),
  el('main', { id: 'main', tabindex: '-1' }, lessons.element),
  el('footer', {}, el('p', { class: 'note' }, `Runs by ${data.version}. Other values need the program: gridcast open.`)));
document.getElementById('page').classList.add('open');
lessons.open(numberIn(location.hash));
