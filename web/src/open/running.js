// A campaign that is running now: how far it is, its rest, and what if something changes from now on.
import { button, el, refill } from '../dom.js';
import { showPage } from '../pages.js';
import { post } from './api.js';

const hour = 3600;

/** @param {number|null} seconds */
function timeText(seconds) {
  if (seconds === null) return 'never';
  const size = Math.abs(seconds);
  if (size < 120) return `${Math.round(seconds)} s`;
  if (size < 2 * hour) return `${(seconds / 60).toFixed(0)} min`;
  return size < 72 * hour ? `${(seconds / hour).toFixed(1)} h` : `${(seconds / 24 / hour).toFixed(1)} d`;
}
const signed = (text) => (/^[-0]/.test(text) || text === 'never' ? text.replace(/^-/, '\u2212') : `+${text}`);
/** "+3 (0 to +5)" @param {{p05: number|null, p50: number|null, p95: number|null}} range */
const rangeText = ({ p05, p50, p95 }, text) => `${signed(text(p50))} (${signed(text(p05))} to ${signed(text(p95))})`;
const numberText = (value) => (value === null ? '?' : String(Number(value.toPrecision(3))));

/** The row of a figure: median and central 90 %. */
function figureRow(label, range, text) {
  return el('tr', {}, el('th', { scope: 'row' }, label), el('td', {}, text(range.p50)), el('td', {}, `${text(range.p05)} to ${text(range.p95)}`));
}

/** When the wanted jobs have succeeded. Futures with too few successes end early; where the median end comes first, the probability stands instead of the time. */
function wantedRow({ wanted, wanted_probability: probability, metrics }, ahead) {
  const { wanted_at_s: at, makespan_s: end } = metrics;
  const late = at.p50 !== null && end.p50 !== null && at.p50 > end.p50;
  if (!late) return figureRow(`${wanted} jobs have succeeded in`, at, ahead);
  return el('tr', {}, el('th', { scope: 'row' }, `probability that ${wanted} jobs succeed`), el('td', { colspan: 2 }, `${Math.round(100 * probability)} %`));
}

function jobsText({ all, over, succeeded, running, idle, not_started: fresh, held }) {
  const parts = [[running, 'in slots'], [idle, 'in the queue again'], [fresh, 'not started'], [held, 'held']];
  return [`${over} of ${all} jobs over, ${succeeded} with success`, ...parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)].join('; ');
}

const labels = {
  release: 'Release the held jobs now', resubmit: 'Start stuck jobs again now', avoid: 'Avoid these hosts (requirements)',
  limit: 'Limit executions to (periodic_vacate)', 'transfer-limit': 'Limit the time in a slot before the execution to',
  'release-after': 'Release held jobs after (periodic_release)', retries: 'Retries of a program that fails (max_retries)',
  'second-copy': 'Second copy of a job, after its submission by',
};

/** "limit:6 h" as the name of a change and its value. @param {string} change */
function takenApart(change) {
  const [name, value = ''] = change.split(/:(.*)/s);
  return { name, value };
}

/** A complaint of the program without the words for a terminal, and the name of the change that it is about. @param {string} text */
function complaintIn(text) {
  const words = text.trim().replace(/^(gridcast( \w+)?: )?(--change:? )?/, '').replace(/ See gridcast .*$/s, '');
  const [, name, rest] = new RegExp(`^(${Object.keys(labels).join('|')}):\\s*(.*)$`, 's').exec(words) ?? [];
  return name ? { name, words: rest } : { name: '', words };
}

export class Running {
  /** @param {string[]} logs @param {(part: {changes: string[]}) => void} noted of changes that were answered */
  constructor(logs, noted) {
    Object.assign(this, { logs, noted });
    this.asked = 0;
    this.state = el('p', { class: 'state', role: 'status' });
    this.answer = el('div', {});
    this.page = el('div', {});
    this.fields = {
      release: el('input', { type: 'checkbox', id: 'now-release' }),
      resubmit: el('input', { type: 'checkbox', id: 'now-resubmit' }),
      avoid: el('select', { id: 'now-avoid', multiple: true, size: 3 }),
      limit: el('input', { type: 'text', id: 'now-limit', placeholder: '6 h' }),
      'transfer-limit': el('input', { type: 'text', id: 'now-transfer-limit', placeholder: '1 h' }),
      'release-after': el('input', { type: 'text', id: 'now-release-after', placeholder: '1 h' }),
      retries: el('input', { type: 'text', id: 'now-retries', placeholder: '3' }),
      'second-copy': el('input', { type: 'text', id: 'now-second-copy', placeholder: '12 h' }),
    };
    this.problems = Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, el('p', { class: 'field-problem', id: `${field.id}-problem`, role: 'alert' })]));
    this.element = el('div', {}, el('h1', {}, 'This campaign, and what if from now on'),
      el('p', { class: 'subtitle', dir: 'auto' }, logs.join(', ')),
      el('div', { class: 'asking' }, this.form(), el('section', { class: 'part answers', 'aria-label': 'Answer' }, el('h2', {}, 'The rest'), this.state, this.answer)),
      el('section', { class: 'part', 'aria-label': 'So far' }, el('h2', {}, 'The campaign so far'), this.page));
  }

  form() {
    const control = ([name, field]) => el('div', { class: 'control' },
      ...(field.type === 'checkbox' ? [field, ' ', el('label', { for: field.id }, labels[name])] : [el('label', { for: field.id }, labels[name]), field]), this.problems[name]);
    const send = (event) => { event.preventDefault(); this.ask(); };
    return el('section', { class: 'part', 'aria-label': 'Controls' }, el('h2', {}, 'Change from now on'),
      el('form', { on: { submit: send, change: send } }, Object.entries(this.fields).map(control),
        el('p', {}, button('Forecast with what the log contains now', () => this.again()))));
  }

  changes() {
    return Object.entries(this.fields).flatMap(([name, field]) => {
      if (field.type === 'checkbox') return field.checked ? [name] : [];
      if (field.multiple) return [...field.selectedOptions].map((option) => `${name}:${option.value}`);
      return field.value.trim() ? [`${name}:${field.value.trim()}`] : [];
    });
  }

  /** @param {{changes?: string[]}} [state] changes that stand in the address */
  open(_, { changes = [] } = {}) {
    const asked = changes.map(takenApart);
    for (const [name, field] of Object.entries(this.fields)) {
      const values = asked.filter((each) => each.name === name).map((each) => each.value);
      if (field.type === 'checkbox') field.checked = values.length > 0;
      else if (field.multiple) refill(field, ...values.map((host) => el('option', { value: host, selected: true }, host)));
      else field.value = values.at(-1) ?? '';
    }
    this.unknown = changes.filter((each) => !labels[takenApart(each).name]);
    return this.again();
  }

  /** Reads the log again. */
  again() {
    showPage(this.page, post('running', { do: 'page' }), 'Report page of the campaign so far');
    return this.ask();
  }

  /** Beside the field that it is about, if that is known. @param {string} text of the program; empty: nothing is wrong */
  complain(text) {
    const { name, words } = complaintIn(text);
    for (const [each, field] of Object.entries(this.fields)) {
      this.problems[each].textContent = each === name ? words : '';
      field.toggleAttribute('aria-invalid', each === name);
      if (each === name) field.setAttribute('aria-describedby', this.problems[each].id);
      else field.removeAttribute('aria-describedby');
    }
    if (!text) return this.unknown.map((each) => `The link has the change ${each}, which is none of these. The answer is without it.`).join(' ');
    const stays = this.answer.childElementCount ? ' The last answer stays below.' : '';
    return name ? `Not answered, see “${labels[name]}”.${stays}` : `${words}${stays}`;
  }

  async ask() {
    this.asked += 1;
    const asked = this.asked;
    this.state.textContent = 'Simulating the rest ...';
    document.documentElement.dataset.answered = 'growing';
    const changes = this.changes();
    let problem = '';
    const done = await post('running', { changes }).catch((error) => ({ exit: 2, complaints: error.message }));
    if (asked !== this.asked) return;
    if (done.exit !== 0) problem = done.complaints.trim() || 'gridcast forecast has failed.';
    else this.show(JSON.parse(done.out), changes);
    this.state.textContent = this.complain(problem);
    if (!problem) this.noted({ changes });
    document.documentElement.dataset.answered = problem ? 'problem' : 'whole';
  }

  show(forecast, changes) {
    const { avoid } = this.fields;
    const chosen = [...avoid.selectedOptions].map((option) => option.value);
    const hosts = [...new Set([...chosen, ...forecast.hosts])];
    refill(avoid, ...hosts.map((host) => el('option', { value: host, selected: chosen.includes(host) }, host)));
    const { metrics, now_s: now } = forecast;
    const ahead = (at) => timeText(at === null ? null : Math.max(0, at - now));
    const commands = [`gridcast forecast ${this.logs.join(' ')} --running`, ...changes.map((each) => `--change '${each}'`)];
    refill(this.answer,
      el('p', { class: 'jobs-now' }, `${forecast.now ? `${forecast.now}: ` : ''}${jobsText(forecast.jobs)}.`),
      el('table', {}, el('caption', {}, 'Without a change'),
        el('thead', {}, el('tr', {}, ['', 'median', '90 %'].map((each) => el('th', { scope: 'col' }, each)))),
        el('tbody', {},
          wantedRow(forecast, ahead),
          figureRow('the last job ends in', metrics.makespan_s, ahead),
          figureRow('jobs that succeed', metrics.succeeded, numberText),
          figureRow('GPU hours', metrics.gpu_hours, numberText))),
      this.effects(forecast.interventions),
      this.delays(forecast.delaying),
      el('p', { class: 'hint' }, 'The same in a terminal: ', el('code', {}, commands.join(' '))));
  }

  effects(interventions) {
    if (interventions.length === 0) return el('p', {}, 'No job is held or stuck. Choose a change to see its effect.');
    return el('table', { class: 'effects' }, el('caption', {}, 'Effect of changes, with the same random numbers: median (90 %)'),
      el('thead', {}, el('tr', {}, ['change', 'end', 'successes', 'GPU hours'].map((each) => el('th', { scope: 'col' }, each)))),
      el('tbody', {}, interventions.map(({ what, end_s: end, succeeded, gpu_hours: gpus }) => el('tr', {},
        el('th', { scope: 'row', dir: 'auto' }, what),
        el('td', {}, rangeText(end, timeText)),
        el('td', {}, rangeText(succeeded, numberText)), el('td', {}, rangeText(gpus, numberText))))));
  }

  delays(jobs) {
    const likely = jobs.filter((job) => job.last_probability >= 0.005);
    if (likely.length === 0) return null;
    return el('div', {}, el('h3', {}, 'Jobs that are likely to be the last'),
      el('ul', {}, likely.map(({ job, why, last_probability: last }) => el('li', { dir: 'auto' }, `${Math.round(100 * last)} %: ${job} ${why}`))));
  }
}
