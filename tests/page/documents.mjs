// Report documents written for the tests: every drawing the page knows, with values that a test can
// compute again, and documents that are odd, empty or very large.

/** A generator of numbers in [0, 1) that gives the same ones each time (Park and Miller, 1988). */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const column = (name, unit = '', type = 'number', more = {}) => ({ name, title: name.replace(/_/g, ' '), unit, type, ...more });
const text = (name, more) => column(name, '', 'text', more);

const lines = [['goodput', 'good', 1.3e6], ['retried transfers', 'bad', 9.4e5], ['evictions', 'bad', 9e4], ['held', 'bad', 4e4], ['claimed and idle', 'bad', 3e4]];
const sites = ['CHTC', 'UCSD', 'Nebraska', 'Purdue', 'Syracuse'];

/** @param {number} count */
export const strategyNames = (count) => Array.from({ length: count }, (_, i) => (i === 0 ? 'published' : `strategy-${i}`));

function figure(spec, columns, rows, more = {}) {
  return { id: spec.replace(/_/g, '-'), title: `Figure ${spec.replace(/_/g, ' ')}`, says: `It has ${rows.length} rows.`, spec, columns, rows, ...more };
}

const steps = (count) => Array.from({ length: count }, (_, i) => i);

export function finishCurve(strategies, points = 60) {
  const rows = strategies.flatMap((strategy, s) => steps(points).map((i) => {
    const done = Math.round(100 * (1 - Math.exp(-(i * (1 + s / 5)) / 18)));
    return [strategy, i * 14400, done, Math.max(0, done - 8), Math.min(100, done + 6)];
  }));
  return figure('finish_curve', [text('strategy'), column('t_s', 's'), column('done_p50'), column('lo'), column('hi')], rows, { params: { deadline_s: 432000 } });
}

const metrics = [['makespan', 's', 90000], ['badput', 's', 300000], ['succeeded', '', 8]];

function compared(strategies) {
  const differences = strategies.slice(1).flatMap((strategy, i) => metrics.map(([metric, unit, size]) => {
    const mean = (size * (i - 2)) / 4;
    return [strategy, metric, mean, mean - size / 5, mean + size / 5, unit];
  }));
  return [figure('paired_differences', [text('strategy'), text('metric'), column('mean'), column('lo'), column('hi'), text('unit')], differences)];
}

/** Every third option never finishes the wanted jobs. @param {string[]} names */
export function tradeOff(names) {
  const rows = names.map((strategy, i) => {
    const time = i % 3 === 2 ? 'never' : 1e5 + 3e4 * ((i * 7) % 10);
    const hours = 6 + ((i * 3) % 11) / 2;
    return [String(i + 1), strategy, i === 1 ? 'recommended' : i === 0 ? 'baseline' : '', time, 9e4, i % 3 === 1 ? 'never' : 5e5, hours, hours * 0.8, hours * 1.3];
  });
  return figure('trade_off', [text('number'), text('strategy'), text('mark'), ...['time_s', 'time_lo', 'time_hi'].map((n) => column(n, 's')), ...['hours', 'hours_lo', 'hours_hi'].map((n) => column(n, 'h'))], rows, { params: { end_s: 5e5, top_h: 15, deadline_s: 259200 } });
}

/** @param {string[]} names */
export const options = (names) => ({
  id: 'options', title: 'The options, and who acts', says: 'Medians and the central 90 %.',
  columns: [text('number'), text('option'), text('about'), ...['p50', 'p05', 'p95'].map((q) => column(`jobs_${q}`)), ...['p50', 'p05', 'p95'].map((q) => column(`time_${q}`, 's', 'number', { days: true })), column('met', '%')],
  rows: names.map((name, i) => [String(i + 1), name, `${i === 1 ? 'Recommended. ' : ''}Change ${i}. The sites install a newer client, and you add a line to the submit file.`, 90 - i, 60, 99, i % 3 === 2 ? 'never' : 1e5 + 1e4 * i, 9e4, i % 3 === 0 ? 'never' : 4e5, 100 - 10 * i]),
});

function spent() {
  const rows = ['observed', 'predicted'].flatMap((source, s) =>
    lines.map(([line, part, seconds]) => [line, part, seconds * (1 - s / 10), source, s ? seconds * 0.6 : null, s ? seconds * 1.3 : null]));
  return [
    figure('waterfall', [text('line'), text('part'), column('seconds', 's'), text('source'), column('lo', 's'), column('hi', 's')], rows),
  ];
}

function calibrated() {
  const coverage = [['makespan', 105, 74, 188, 109], ['badput', 320, 68, 582, 174], ['claimed', 92, 14, 41, 23]].map(([f, observed, lo, hi, p50]) => [f, observed, lo, hi, p50, observed >= lo && observed <= hi ? 'yes' : 'no']);
  return [
    figure('coverage', [text('figure'), column('observed'), column('lo'), column('hi'), column('p50'), text('inside')], coverage),
  ];
}

const phases = ['waiting', 'matched', 'transfer', 'stalled', 'executing', 'checkpoint', 'suspended', 'disconnected', 'held', 'evicted'];

/** Jobs one after the other in slots: waiting, matched, transfer, perhaps a stall and a hold, executing. */
export function gantt(jobs, { seed = 7, events = false, slots = 40, most = Infinity } = {}) {
  const next = numbers(seed);
  const free = Array(slots).fill(0);
  const bars = [];
  const happened = [];
  const lost = [];
  for (let job = 0; job < jobs && bars.length < most; job += 1) {
    const slot = free.indexOf(Math.min(...free));
    let t = free[slot];
    lost[job] = 0;
    const add = (phase, seconds, reason = -1, lane = slot) => {
      if (bars.length >= most) return;
      bars.push([t, t + seconds, phases.indexOf(phase), job, lane, reason]);
      happened.push([t, job, `${phase} begins`]);
      if (phase === 'stalled' || phase === 'held') lost[job] += seconds;
      t += seconds;
    };
    if (t > 0) bars.push([0, t, 0, job, -1, -1]);
    add('matched', 30 + 60 * next());
    add('transfer', 600 + 3000 * next());
    if (next() < 0.25) add('stalled', 3600 * (1 + 5 * next()), 0);
    if (next() < 0.1) add('held', 7200 * next(), 1);
    add('executing', 14400 + 20000 * next());
    add(next() < 0.1 ? 'evicted' : 'transfer', 300 + 300 * next(), 2);
    if (next() < 0.2) add('checkpoint', 120);
    free[slot] = t;
  }
  const worst = lost.map((seconds, job) => ({ job_lane: job, why: `${(seconds / 3600).toFixed(1)} h stalled or held` })).sort((a, b) => lost[b.job_lane] - lost[a.job_lane]).slice(0, 5);
  return {
    id: 'jobs-and-slots', title: 'One replica, job by job', says: `${jobs} jobs in ${slots} slots.`, epoch: '2026-03-01T08:00:00Z',
    lanes: steps(slots).map((i) => ({ id: i, label: `${sites[i % 5]} slot ${i}`, group: sites[i % 5] })),
    job_lanes: steps(jobs).map((i) => ({ id: i, label: `${i}.0` })),
    phases, reasons: ['No data for 15 minutes', 'Transfer input files failure', 'The job left the slot'], bars, worst,
    ...(events ? numbered(happened.sort((a, b) => a[0] - b[0])) : {}),
  };
}

/** Events name their words by number. */
function numbered(events) {
  const words = [...new Set(events.map((event) => event[2]))];
  return { events: events.map(([t, job, what]) => [t, job, words.indexOf(what)]), event_words: words };
}

/** The same jobs under several strategies, in the same noise. */
export const sameRandom = (names) => {
  const all = names.map((_, i) => gantt(20, { slots: 6, seed: 7 + i }));
  const end = Math.max(...all.flatMap((each) => each.bars.map((bar) => bar[1])));
  const [first, ...others] = names.map((strategy, i) => ({ ...all[i], end, title: `One replica, strategy ${strategy}`, strategy }));
  const [table, ...tables] = names.map((strategy, i) => ({ ...jobTable(20 - i), strategy, says: `${20 - i} jobs.\nOf ${strategy}.` }));
  others.forEach((other) => { delete other.lanes; delete other.job_lanes; });
  tables.forEach((other) => { delete other.columns; });
  return {
    ...comparison({ jobs: 20, strategies: 3 }),
    sections: [section('gantt', 'Job by job', { gantt: first, other_gantts: others }), section('jobs', 'Each job', { table, other_tables: tables })],
  };
};

export function jobTable(jobs) {
  const rows = steps(jobs).map((i) => [`${i}.0`, sites[i % 5], 3600 * (1 + (i % 17)), (i * 37) % 11, i % 9 === 0 ? 'failed' : 'succeeded']);
  return { id: 'jobs', title: 'Jobs', says: `${jobs} jobs.`, columns: [text('job', { link: 'gantt-job' }), text('site'), column('executing', 's'), column('stalls'), text('outcome')], rows };
}

export const section = (id, title, parts) => ({ id, title, text: [], figures: [], ...parts });

/** A comparison with all sections, and without first pages. */
export function comparison({ jobs = 100, strategies = 10, bars = Infinity } = {}) {
  const names = strategyNames(strategies);
  return {
    schema: 'gridcast.report/1', kind: 'comparison', title: '100 ResNet-50 trainings on the OSPool', subtitle: '10 strategies, 1000 simulated campaigns each, seed 1',
    created_by: 'gridcast 0.1.0', command: 'gridcast compare scenarios/osg-imagenet.yaml --report report.html',
    answer: ['With the published strategy: 6.1 to 9.4 days (80 %), 44 % of GPU time lost, mostly (38 of 44 points) to retried transfers.', 'Best: strategy-1, probability 0.93.'],
    ranking: names,
    question: 'Which change lets 90 of the 100 trainings finish, how soon, and for how many GPU hours?', assumptions: ['Stalls come from overload or from bad paths; which of them is not known.', 'The pool stays as it was.'],
    sections: [
      section('where-the-time-went', 'Where the time went', { text: ['Hours of claimed slots by what they were spent on.'], figures: spent() }),
      section('finish', 'When it is done', { figures: [finishCurve(names), figure('finish_lines', [text('strategy'), column('t_s', 's'), column('done')], steps(50).map((i) => ['published', i * 9000, i * 2]))] }),
      section('strategies', 'Strategies compared', { figures: compared(names) }),
      section('gantt', 'Job by job', { gantt: gantt(jobs, { most: bars }) }),
      section('sites', 'Sites and jobs', { table: jobTable(jobs) }),
      section('observed-and-predicted', 'Observed and predicted', { figures: calibrated() }),
      section('provenance', 'Provenance', { facts: [{ name: 'seed', value: '1' }, { name: 'resolved scenario', value: 'name: x\njobs: 100\n' }] }),
    ],
    notices: [{ level: 'warning', text: 'The study was interrupted: 812 of 1000 replicas.' }], licences: [],
  };
}

/** What a comparison decides, with the figure that stands beside the answer. @param {string[]} names */
export const verdict = (names) => section('verdict', 'The verdict', {
  figures: [figure('strategy_intervals', [...['strategy', 'metric', 'mark', 'unit'].map((each) => text(each)), ...['p05', 'p25', 'p50', 'p75', 'p95'].map((n) => column(n))],
    names.flatMap((strategy, i) => ['GPU hours for each success', 'succeeded'].map((metric, m) => {
      const middle = (m ? 80 : 6) + i / 2;
      return [strategy, metric, i === 1 ? 'best' : i === 0 ? 'baseline' : 'other', m ? 'jobs' : '', ...[0.8, 0.9, 1, 1.2, 1.6].map((part) => part * middle)];
    })))],
  table: { id: 'explanations', title: 'The strategies under each explanation', says: 'Two rows.', columns: [text('strategy'), column('cost')], rows: [['published', 3.65], ['strategy-1', 0]] },
});

/** A comparison that decides something. */
export const decided = ({ jobs = 100, strategies = 9 } = {}) => {
  const document = comparison({ jobs, strategies });
  const names = strategyNames(strategies);
  return {
    ...document,
    answer: [...document.answer, 'To choose published is expected to cost 3.65 GPU hours a success more.'],
    recommendation: 'strategy-1, until more is known. Test: run 5 of these jobs to their end.',
    deadline: '90 jobs finish by the deadline of 3 d in 55 % ±8 of the campaigns with strategy-1, and in 15 % ±6 with published.',
    figure: tradeOff(names),
    options: options(names),
    evidence: ['Record of 100 jobs, 1000 campaigns in 300 draws.', 'Too few jobs succeed to choose strategy-8 (held: input of 137 GB is over the limit of 5 GB).'],
    cite: ['The program: The gridcast developers. gridcast 0.2.0. MIT licence.', 'This report: "100 ResNet-50 trainings". Made by gridcast 0.2.0; seed 1.'],
    sections: [verdict(names), ...document.sections],
  };
};

/** A report of some of its sections. */
export const only = (document, ...ids) => ({ ...document, sections: document.sections.filter((each) => ids.includes(each.id)) });

export const hostile = '</script><img src=x onerror="window.injected=1">';
const arabic = 'مهمة "1"\nثانية';

/** Names from a log that mean mischief or read the other way. */
export function oddNames() {
  const document = comparison({ jobs: 12, strategies: 3 });
  document.title = `Campaign ${hostile}`;
  document.answer = [`Job ${hostile} was lost.`];
  const chart = document.sections.find((each) => each.gantt).gantt;
  chart.job_lanes[0].label = hostile;
  chart.job_lanes[1].label = arabic;
  chart.reasons[0] = hostile;
  chart.lanes[0].label = `${hostile} slot`;
  const { table } = document.sections.find((each) => each.table);
  table.rows[0][0] = hostile;
  table.rows[1][0] = arabic;
  for (const each of document.sections.flatMap((one) => one.figures)) {
    for (const row of each.rows) for (const [i, value] of row.entries()) if (value === 'strategy-1' || value === 'CHTC' || value === 'cache-a') row[i] = hostile;
    for (const row of each.rows) for (const [i, value] of row.entries()) if (value === 'strategy-2' || value === 'UCSD') row[i] = arabic;
  }
  return document;
}

/** Sections with nothing in them. */
export const nothing = () => ({
  schema: 'gridcast.report/1', kind: 'run', title: 'No jobs', created_by: 'gridcast 0.1.0', command: '', answer: [], question: null, assumptions: [], notices: [], licences: [],
  sections: [section('a', 'Where the time went', { figures: [figure('waterfall', [text('line'), column('seconds', 's')], [])] }), section('b', 'Finish', {}),
    section('c', 'Job by job', { gantt: { ...gantt(0), bars: [], worst: [] } }), section('d', 'Jobs', { table: jobTable(0) }),
    section('e', 'A later drawing', { figures: [figure('not_known', [text('x'), column('y')], [['a', 1]])] })],
});

/** A lesson: a small campaign whose event log can be played. */
export const lesson = () => ({
  ...comparison({ jobs: 8, strategies: 1 }), kind: 'lesson', title: 'Retry and black holes',
  sections: [section('play', 'Event by event', { gantt: gantt(8, { slots: 2, events: true }) })],
});

/** All drawings the page knows. */
export const drawings = () => comparison().sections.flatMap((each) => each.figures);
