// The runs of a lesson: the changes of each and the resulting figure, for the last one the verdict
// on the guess, all figures that are not nothing, and its page.
import { button, el, refill } from '../dom.js';
import { significant, span } from '../format.js';
import { together } from '../together.js';
import { showPage } from '../pages.js';

/** Seconds by their name; all else unchanged, with its unit. @param {string} name @param {number|null} value */
export function figureText(name, value) {
  if (value === null || value === undefined) return '–';
  const plain = name.split(':')[0];
  if (plain.endsWith('_s') && !plain.endsWith('_per_s')) return span(value);
  if (plain === 'precision' || plain.endsWith('_fraction')) return `${significant(100 * value, 3)} %`;
  if (plain.endsWith('_B')) return `${significant(value / 1e9, 3)} GB`;
  return significant(value, 3);
}

/** Times below it are rounding, and so is their effect on other figures. */
const least = 1e-3;

const rowsOf = (columns) => Object.keys(columns[0]).map((name) => [name, columns.map((column) => column[name])])
  .filter(([, values]) => values.some((value) => typeof value === 'number' && Math.abs(value) >= least));

/**
 * The figures of a run that are not nothing, with their columns' heads.
 * @param {any} result of gridcast forecast or profile @returns {{heads: string[], rows: [string, (number|null)[]][]}}
 */
export function figuresOf(result) {
  if (result.schema === 'gridcast.prediction/1') {
    const columns = ['mean', 'p05', 'p50', 'p95'].map((part) => Object.fromEntries(Object.entries(result.metrics).map(([name, each]) => [name, each?.[part] ?? null])));
    return { heads: ['mean', '5 %', 'median', '95 %'], rows: rowsOf(columns) };
  }
  if (result.schema === 'gridcast.training/1') {
    const { total_s, epoch_s, step_s, efficiency, parts } = result;
    return { heads: ['the job'], rows: rowsOf([{ total_s, epoch_s, step_s, efficiency, ...parts }]) };
  }
  const sites = Object.entries(result.sites ?? {});
  return { heads: ['all', ...sites.map(([name]) => name)], rows: rowsOf([result.metrics, ...sites.map(([, metrics]) => metrics)]) };
}

function figuresTable(result) {
  const { heads, rows } = figuresOf(result);
  return el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'All figures of this run' },
    el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'figure'), heads.map((head) => el('th', { scope: 'col', class: 'number' }, el('bdi', {}, head))))),
      el('tbody', {}, rows.map(([name, values]) => el('tr', {}, el('th', { scope: 'row' }, el('code', {}, name)),
        values.map((value) => el('td', { class: 'number' }, figureText(name, value))))))));
}

export class Runs {
  constructor() {
    this.table = el('tbody', {});
    this.head = el('th', { scope: 'col' });
    this.all = el('table', { class: 'runs' }, el('caption', { class: 'hidden' }, 'Runs so far'),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'changes'), this.head)), this.table);
    this.said = el('p', { class: 'state', role: 'status' });
    this.more = el('div', {});
    this.element = el('div', {}, this.all, this.said, this.more);
    this.all.hidden = true;
  }

  say(text, kind) {
    this.said.className = kind;
    refill(this.said, ...together(text));
  }

  wait() {
    this.say('Running …', 'state');
  }

  failed(message) {
    this.say(message, 'verdict wrong');
  }

  /** @param {string} changed @param {any} ran gridcast.lesson_run/1 @param {(() => Promise<{address: string}>)|null} page */
  add(changed, ran, page) {
    const value = ran.value === null ? 'none' : figureText(ran.figure, ran.value);
    const known = ran.words !== ran.figure;
    this.all.hidden = false;
    refill(this.head, ran.words, known ? el('code', { class: 'note' }, ` ${ran.figure}`) : null);
    this.table.append(el('tr', {}, el('th', { scope: 'row' }, changed), el('td', {}, value)));
    this.say(`${ran.words} = ${value}. You guessed ${ran.guess.answer}. ${ran.guess.says}`.trim(), 'verdict');
    const place = el('div', {});
    refill(this.more,
      el('details', {}, el('summary', {}, 'All figures of this run'), figuresTable(ran.result)),
      page && ran.result.schema !== 'gridcast.training/1' ? el('p', {}, button('This run, drawn', () => showPage(place, page().then(({ address }) => ({ address: `${address}#section-gantt` })), 'Page of this run'))) : null, place);
  }
}
