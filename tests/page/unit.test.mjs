// The parts of the page that need no browser. Values by hand.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const source = process.env.GRIDCAST_SOURCE;
const part = (file) => import(pathToFileURL(path.join(process.env.GRIDCAST_WEB, 'src', file)).href);
const { unitFor } = await part('units.js');
const { significant, plain, cellText, span, moment } = await part('format.js');
const { filterRows, sortRows, pageOf, nextOrder } = await part('table_model.js');
const { csvText } = await part('csv.js');
const { rankStrategies, readReport } = await part('document.js');
const { figurePanels, seriesOf, topOf } = await part('spec.js');
const { markdownText } = await part('markdown.js');
const { linesOf } = await part('picture.js');
const { barsOf, rowsBy, extent, kept, zoomed, panned, barAt, firstAt, ticks } = await part('gantt/model.js');
const { neighbour } = await part('gantt/keys.js');
const { eventAt } = await part('gantt/player.js');
const { cutLabels } = await part('cut.js');
const { keptPart, closer } = await part('chart_window.js');
const { nextMark } = await part('chart_marks.js');

const { takenApart, unitsOf, leftOutIn, withoutSites, shellWord, commandOf, compareCommandOf, resultText, yamlOf } = await part('open/values.js');
const { goalIn } = await part('open/goal.js');
const { paired } = await part('open/paired.js');
const { hashOf, stateIn } = await part('open/address.js');
const { differenceText, valueText } = await part('open/figures.js');
const { sha256 } = await part('lessons/sha256.js');
const { figuresOf, figureText } = await part('lessons/lesson_runs.js');

test('the figures of a run have their units, and empty ones are left out', () => {
  assert.deepEqual([figureText('makespan_s', 14642), figureText('transfer_s:1.8', 100), figureText('precision:makespan_s', 0.1539), figureText('goodput_fraction', 0.395), figureText('succeeded', 96), figureText('stalls', null)],
    ['4 h 4 min', '1 min 40 s', '15.4 %', '39.5 %', '96', '–']);
  const run = { schema: 'gridcast.ledger/1', metrics: { jobs: 3, held: 0, overhead_s: 0.0002, makespan_s: 60 }, sites: { campus: { jobs: 2, held: 0, overhead_s: 0.0002 }, annex: { jobs: 1, held: 0, overhead_s: 0 } } };
  assert.deepEqual(figuresOf(run), { heads: ['all', 'campus', 'annex'], rows: [['jobs', [3, 2, 1]], ['makespan_s', [60, undefined, undefined]]] });
  const study = { schema: 'gridcast.prediction/1', metrics: { jobs: { mean: 5, p05: 4, p50: 5, p95: 6 }, held: { mean: 0, p05: 0, p50: 0, p95: 0 }, evictions: null } };
  assert.deepEqual(figuresOf(study).rows, [['jobs', [5, 4, 5, 6]]]);
  const training = { schema: 'gridcast.training/1', total_s: 640, epoch_s: 640, step_s: 1, efficiency: 1, parts: { straggling_s: 0, computing_s: 640 } };
  assert.deepEqual(figuresOf(training).rows.map(([name]) => name), ['total_s', 'epoch_s', 'step_s', 'efficiency', 'computing_s']);
});

test('values are taken apart and put together as a scenario has them', () => {
  assert.deepEqual(takenApart('5.5 min'), { number: '5.5', unit: 'min' });
  assert.deepEqual(takenApart('100'), { number: '100', unit: '' });
  assert.deepEqual(takenApart('5 min..10 min'), { number: '', unit: '' });
  assert.equal(unitsOf({ form: 'size', value: '137 GB', default: '' })[0], 'MB');
  assert.equal(unitsOf({ form: 'size', value: '3 KiB', default: '' })[0], 'KiB');
  assert.deepEqual(unitsOf({ form: 'integer', value: '3', default: '' }), []);
  assert.equal(withoutSites(['A', 'B"'], 'x > 1'), '(x > 1) && GLIDEIN_ResourceName =!= "A" && GLIDEIN_ResourceName =!= "B\\""');
  assert.equal(withoutSites(['A'], '"x =!= \\"b\\""'), '(x =!= "b") && GLIDEIN_ResourceName =!= "A"');
  const typed = '(x) || (y) && GLIDEIN_ResourceName =!= "A"';
  assert.deepEqual(leftOutIn(typed, ['A']), { own: '(x) || (y)', out: ['A'] });
  for (const own of ['', 'x > 1', 'a ? b : c', '(x) && (y)']) {
    for (const out of [[], ['A'], ['B"', 'A']]) assert.deepEqual(leftOutIn(out.length ? withoutSites(out, own) : own, ['A', 'B"', 'C']), { own, out });
  }
});

test('changed keys are written as YAML and as words of a shell', () => {
  const set = [{ path: 'strategies.pelican-7.16.transfer.resume', value: 'true' }, { path: 'campaign.request.disk', value: '1 TB' },
    { path: 'strategies.pelican-7.16.match.requirements', value: '"a =!= \\"b\\""' }, { path: 'campaign.submit[0].jobs', value: '7' }, { path: 'pool.sites.X.gpus', value: '3' }];
  assert.equal(yamlOf(set, 'pelican-7.16'), ['strategies:', '  pelican-7.16:', '    transfer:', '      resume: true', '    match:',
    '      requirements: "a =!= \\"b\\""', 'campaign:', '  request:', '    disk: 1 TB', '# campaign.submit[0].jobs: 7', "# in the pool's file, sites.X.gpus: 3"].join('\n'));
  assert.equal(shellWord("it's"), "'it'\\''s'");
  assert.equal(commandOf({ scenario: 's.yaml', strategy: 'a', set: [{ path: 'p', value: '1 h' }], replicas: 5, seed: 2 }), "gridcast forecast s.yaml --strategy a --set 'p=1 h' -n 5 --seed 2 --json");
  const ofJobs = { scenario: 'my job.sub', strategy: 'a', set: [], replicas: 5, seed: 2 };
  assert.equal(commandOf(ofJobs, ['my job.sub', 'a.log']), "gridcast forecast 'my job.sub' a.log --strategy a -n 5 --seed 2 --json");
  const made = '{"schema": "gridcast.prediction/1", "scenario": "/tmp/x/scenario.yaml"}';
  assert.equal(resultText(made, { scenario: 's.yaml' }), made);
  assert.deepEqual(JSON.parse(resultText(made, { scenario: 'my job.sub', work: ['my job.sub'] })),
    { schema: 'gridcast.prediction/1', scenario: 'my job.sub' });
});

test('answers are paired by replica, whatever each of them has', () => {
  const now = { numbers: [0, 1, 3], values: { x: [5, 6, 9] } };
  const last = { numbers: [0, 1, 2], values: { x: [4, 8, 100] } };
  assert.deepEqual(paired(now, last, 'x'), { n: 2, middle: -2, low: -2, high: 1, less: 0.5, more: 0.5 });
  assert.equal(paired(now, { numbers: [7], values: { x: [1] } }, 'x'), null);
});

test('a campaign that never has the wanted jobs is slower than any that has', () => {
  const now = { numbers: [0, 1, 2, 3], values: { x: ['never', 5, 'never', null] } };
  const last = { numbers: [0, 1, 2, 3], values: { x: [100, 'never', 'never', 1] } };
  assert.deepEqual(paired(now, last, 'x'), { n: 3, middle: 0, low: -Infinity, high: Infinity, less: 1 / 3, more: 1 / 3 });
  assert.equal(valueText('never', 's'), 'never');
  assert.match(differenceText(paired(now, last, 'x'), 's'), /^no difference \(3 pairs, nine of ten from “finishes only here” to “finishes only there”\); less in 33.3/);
});

test('the state goes into the address and comes back', () => {
  const set = [{ path: 'strategies.a~b.match.requirements', value: '"x == 1 && y"' }, { path: 'campaign.input[0].size', value: '1 TB' }];
  const state = { view: 'whatif', scenario: 'scenarios/a b.yaml', strategy: 'pelican-7.16', set, pins: [{ name: 'ours ~ & 50 %', strategy: 'a~b', set }] };
  assert.deepEqual(stateIn(hashOf(state)), state);
  assert.equal(hashOf({ ...state, view: 'lessons', lesson: 3 }), '#lesson-3');
  assert.deepEqual(stateIn('#compare'), { view: 'compare', scenario: '', strategy: '', set: [], pins: [] });
  assert.equal(stateIn('#nothing'), null);
  const chosen = { ...state, against: 'ours ~ & 50 %', metric: 'stalls', second: 'upgrade', replica: '7' };
  assert.deepEqual(stateIn(hashOf(chosen)), chosen);
  const changes = ['limit:1 h 30 min', 'avoid:slot1@a.example', 'release'];
  assert.deepEqual(stateIn(hashOf({ ...state, view: 'running', changes })).changes, changes);
  assert.equal(hashOf({ ...state, view: 'running', changes: [] }), '#running');
});

test('a goal is taken apart, and goes into the command of the comparison', () => {
  assert.deepEqual(goalIn('deadline:2.5 h'), { kind: 'deadline', number: '2.5', unit: 'h' });
  assert.deepEqual(goalIn("deadline: '3 d'"), { kind: 'deadline', number: '3', unit: 'd' });
  assert.deepEqual(goalIn('gpu-hours'), { kind: 'gpu-hours', number: '', unit: '' });
  for (const wrong of ['deadline', 'deadline:0 d', 'deadline:3', 'cost:3 d', 'fast', '']) assert.equal(goalIn(wrong), null, wrong);
  const question = { scenario: 'a.yaml', replicas: 9, seed: 2, set: [{ path: 'campaign.work.epochs', value: '3' }, { path: 'study.goal', value: 'deadline:2.5 h' }] };
  assert.equal(compareCommandOf(question), "gridcast compare a.yaml --goal 'deadline:2.5 h' --set campaign.work.epochs=3 -n 9 --seed 2");
});

test('an axis that no point reaches has the unit of its end', () => {
  const template = { usermeta: { gridcast: { units: { x_unit: { fields: ['time_s'], days: true, reach: 'end_s' } } } }, title: 'time (@{x_unit})' };
  const figure = { columns: [{ name: 'time_s', unit: 's' }], rows: [['never']], params: { end_s: 259200 } };
  assert.equal(figurePanels(template, figure, []).panels[0].spec.title, 'time (d)');
});

test('SHA-256 of the standard', () => {
  assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'), '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1');
});

test('a strategy may have a name that every object of JavaScript has', () => {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', 'plain'];
  const figure = { id: 'f', title: '', says: '', spec: 's', columns: [{ name: 'strategy' }, { name: 'x' }], rows: names.map((each, i) => [each, i]) };
  const template = { usermeta: { gridcast: { series: 'strategy' } }, encoding: { color: { scale: { domain: '@series' } } } };
  const { panels, series } = figurePanels(template, figure, ['valueOf', 'plain', 'constructor']);
  const drawn = panels[0].rows.map((row) => row.strategy);
  assert.ok(drawn.every((each) => !(each in {})));
  assert.equal(new Set(drawn).size, names.length);
  assert.deepEqual(drawn.map((each) => each.replace('\u200b', '')), names); // to the eye
  assert.deepEqual(panels[0].spec.encoding.color.scale.domain, series.names);
  assert.deepEqual([...series.names].sort(), [...drawn].sort());
  assert.equal(series.names[1], 'plain'); // by rank
  assert.deepEqual(figure.rows[0], ['constructor', 0]); // the numbers and files have it as it is
});

test('labels that are cut differ where the labels do', () => {
  const labels = ['transfers that were retried, of jobs that succeeded', 'transfers that were retried, of jobs that did not', 'short', 'transfers of jobs that succeeded',
    'site-1 slot1_1@node-17.cluster.example.org', 'site-1 slot1_2@node-17.cluster.example.org', `${'a'.repeat(20)}x${'a'.repeat(20)}`, `${'a'.repeat(20)}y${'a'.repeat(20)}`];
  const cuts = cutLabels(labels, 16);
  assert.equal(cuts.size, labels.length);
  assert.equal(new Set(cuts.values()).size, labels.length);
  assert.ok([...cuts.values()].every((cut) => [...cut].length <= 16));
  assert.equal(cuts.get('short'), 'short');
  assert.equal(cuts.get(labels[0]), 'transfer…cceeded');
  assert.equal(cuts.get(labels[3]), 'transfers of jo…');
});

test('the part of a curve in sight stays within the whole', () => {
  assert.deepEqual(keptPart([-5, 5], [0, 100]), [0, 10]);
  assert.deepEqual(keptPart([95, 105], [0, 100]), [90, 100]);
  assert.deepEqual(keptPart([-50, 500], [0, 100]), [0, 100]);
  assert.deepEqual(keptPart([50, 50], [0, 100]), [50, 50.01]);
  assert.deepEqual(closer([0, 100], 2, 20), [10, 60]);
});

test('keys go from mark to mark, and on to the next line', () => {
  const at = (x) => ({ x, y: 0, tip: {}, datum: {} });
  const tracks = [[at(0), at(10), at(20)], [at(5), at(19)]];
  assert.deepEqual(nextMark(tracks, null, 'ArrowRight'), { track: 0, mark: 0 });
  assert.deepEqual(nextMark(tracks, { track: 0, mark: 2 }, 'ArrowRight'), { track: 1, mark: 0 });
  assert.deepEqual(nextMark(tracks, { track: 1, mark: 0 }, 'ArrowLeft'), { track: 0, mark: 2 });
  assert.deepEqual(nextMark(tracks, { track: 0, mark: 2 }, 'PageDown'), { track: 1, mark: 1 });
  assert.deepEqual(nextMark(tracks, { track: 1, mark: 1 }, 'ArrowRight'), { track: 1, mark: 1 });
  assert.equal(nextMark([], null, 'ArrowRight'), null);
});

test('units fit the values', () => {
  assert.deepEqual(unitFor('s', 119), { size: 1, name: 's' });
  assert.deepEqual(unitFor('s', 120), { size: 60, name: 'min' });
  assert.deepEqual(unitFor('s', 1e6), { size: 3600, name: 'h' });
  assert.deepEqual(unitFor('s', 1e6, true), { size: 86400, name: 'd' });
  assert.deepEqual(unitFor('B/s', 5e8), { size: 1e6, name: 'MB/s' });
  assert.deepEqual(unitFor('%', 5), { size: 1, name: '%' });
  assert.deepEqual(unitFor(undefined, 5), { size: 1, name: '' });
});

test('numbers are short and true', () => {
  assert.equal(significant(1234.5678, 4), '1235');
  assert.equal(significant(0.00012345, 3), '0.000123');
  assert.equal(significant(120, 2), '120');
  assert.equal(significant(0, 3), '0');
  assert.equal(significant(1e-9, 3), '1.00e-9');
  assert.equal(plain(2466000), '2466000');
  assert.equal(plain(1 / 3), '0.333333');
  assert.equal(cellText(null), '–');
  assert.equal(cellText(5400, { shownUnit: { size: 3600, name: 'h' }, whole: false }), '1.50');
  assert.equal(cellText(86, { shownUnit: { size: 1, name: 'jobs' }, whole: true }), '86');
  assert.equal(cellText(86, { shownUnit: { size: 1, name: 'jobs' }, whole: false }), '86.0');
  assert.equal(cellText(9.996, { shownUnit: { size: 1, name: '%' }, whole: false }), '10.0');
});

test('spans and moments', () => {
  assert.equal(span(59.5), '59.5 s');
  assert.equal(span(3600), '1 h');
  assert.equal(span(90061), '1 d 1 h');
  assert.equal(span(-61), '−1 min 1 s');
  assert.equal(moment(3661, '2026-03-01T00:00:00Z'), '2026-03-01 01:01:01 UTC');
  assert.equal(moment(60, null), '1 min');
});

test('filter, order and pages of a table', () => {
  const rows = [['job 2', 5], ['job 10', null], ['other', 7], ['JOB 1', 5]];
  assert.deepEqual(filterRows(rows, 'job'), [0, 1, 3]);
  assert.deepEqual(filterRows(rows, ' job  5 '), [0, 3]);
  assert.deepEqual(sortRows(rows, [0, 1, 3], { column: 0, direction: 1 }), [3, 0, 1]); // 1, 2, 10
  assert.deepEqual(sortRows(rows, [0, 1, 2, 3], { column: 1, direction: -1 }), [2, 0, 3, 1]); // nothing last
  assert.deepEqual(sortRows(rows, [0, 1, 2, 3], { column: 1, direction: 1 }), [0, 3, 2, 1]);
  assert.deepEqual(pageOf([...Array(7).keys()], 9, 3), { page: 2, pages: 3, first: 6, shown: [6] });
  assert.deepEqual(pageOf([], 0, 3), { page: 0, pages: 1, first: 0, shown: [] });
  const once = nextOrder(null, 1, true);
  assert.deepEqual([once, nextOrder(once, 1, true), nextOrder({ column: 1, direction: 1 }, 1, true)], [{ column: 1, direction: -1 }, { column: 1, direction: 1 }, null]);
});

test('CSV quotes the cells that need it', () => {
  assert.equal(csvText([{ name: 'a' }, { name: 'b,c' }], [['x"y', 1], ['line\nbreak', null]]), 'a,"b,c"\r\n"x""y",1\r\n"line\nbreak",\r\n');
});

test('a report of another kind is refused with a reason', () => {
  assert.match(readReport('').problem, /no data/);
  assert.match(readReport('{"schema":').problem, /cut off/);
  assert.match(readReport('{"schema":"gridcast.report/2"}').problem, /report\/2/);
  assert.ok(readReport('{"schema":"gridcast.report/1"}').report);
});

const columnsOf = (...names) => names.map((name) => ({ name, title: name }));

test('series that are shown at first differ most in colour, at any rank', () => {
  const rows = ['base', 's1', 's2', 's3', 's4', 's5'].map((strategy) => ({ strategy }));
  const series = seriesOf({ usermeta: { gridcast: { series: 'strategy', shown: 2 } } }, rows, ['s1', 's2', 's3', 's4', 's5', 'base']);
  assert.deepEqual(series.shown, ['s1', 'base']);
  assert.deepEqual([series.colours[0], series.colours[5]], seriesOf({ usermeta: { gridcast: { series: 'strategy' } } }, rows, []).colours.slice(0, 2));
  assert.equal(new Set(series.colours).size, 6);
});

test('strategies rank as the report has them, the others as they come', () => {
  const figures = [{ spec: 'finish_curve', columns: columnsOf('strategy'), rows: [['c'], ['a'], ['z']] }];
  assert.deepEqual(rankStrategies({ ranking: ['b', 'a'], sections: [{ figures }] }), ['b', 'a', 'c', 'z']);
  assert.deepEqual(rankStrategies({ sections: [{ figures }] }), ['c', 'a', 'z']);
});

test('a table in Markdown has the units that the page shows, and "never"', () => {
  const columns = [{ name: 'strategy', title: 'strategy', type: 'text' }, { name: 'time_p50', title: 'time', unit: 's' }, { name: 'time_p05', unit: 's' }, { name: 'time_p95', unit: 's' }];
  const rows = [['a|b', 36000, 18000, 'never'], ['c', 'never', 'never', 'never'], ['d', 'never', 36000, 'never']];
  assert.equal(markdownText(columns, rows), [
    '| strategy | time (h), median (5 to 95 %) |', '| --- | ---: |', '| a\\|b | 10.0 (5.00 to never) |', '| c | never |', '| d | never (10.0 to never) |', ''].join('\n'));
});

test('never is later than all times', () => {
  const rows = [['never'], [5], [null], [7]];
  assert.deepEqual(sortRows(rows, [0, 1, 2, 3], { column: 0, direction: 1 }), [1, 3, 0, 2]);
  assert.deepEqual(sortRows(rows, [0, 1, 2, 3], { column: 0, direction: -1 }), [0, 3, 1, 2]);
});

test('a title is broken between its words', () => {
  assert.deepEqual(linesOf('one two three', 8), ['one two', 'three']);
  assert.deepEqual(linesOf('unbreakable', 3), ['unbreakable']);
});

const template = {
  $schema: 's', usermeta: { gridcast: { units: { time_unit: { fields: ['t_s'], days: true } }, series: 'strategy', shown: 1, split: 'metric' } },
  params: [{ name: 'time_unit', value: 1 }, { name: 'deadline_s', value: null }, { name: 'shown', value: [] }],
  transform: [{ calculate: 'datum.t_s / time_unit', as: 't' }],
  layer: [{ mark: 'line', encoding: { x: { field: 't', title: 'time (@{time_unit})' }, color: { scale: { domain: '@series' } } } }, { usermeta: { when: 'deadline_s' }, mark: 'rule' }],
};
const figure = {
  id: 'f', title: 'F', says: 'f.', spec: 'x', params: {}, columns: [...columnsOf('strategy', 'metric'), { name: 't_s', unit: 's' }],
  rows: [['a', 'm', 864000], ['b', 'm', 1], ['a', 'n', 30]],
};

test('a template is filled with units, series and titles', () => {
  const { panels, series } = figurePanels(template, figure, ['b', 'a']);
  assert.deepEqual(panels.map((panel) => [panel.title, panel.rows.length]), [['m', 2], ['n', 1]]);
  const [days, seconds] = panels.map((panel) => panel.spec);
  assert.equal(days.layer[0].encoding.x.title, 'time (d)');
  assert.equal(days.params[0].value, 86400);
  assert.equal(seconds.layer[0].encoding.x.title, 'time (s)');
  assert.deepEqual(days.layer[0].encoding.color.scale.domain, ['b', 'a']);
  assert.deepEqual(series.shown, ['a']); // what the data begins with is always there
  assert.equal(days.layer.length, 1); // no deadline, no rule
  assert.equal(figurePanels(template, { ...figure, params: { deadline_s: 5 } }, []).panels[0].spec.layer.length, 2);
  const banded = { ...template, layer: [{ mark: 'line' }, { usermeta: { needs: 'lo' }, mark: 'area' }] };
  assert.equal(figurePanels(banded, figure, []).panels[0].spec.layer.length, 1); // no interval, no band
  const columns = [...figure.columns, { name: 'lo' }];
  const rows = figure.rows.map((row, i) => [...row, i === 0 ? 1 : null]);
  assert.deepEqual(figurePanels(banded, { ...figure, columns, rows }, []).panels.map((panel) => panel.spec.layer.length), [2, 1]);
});

test('bad values have their colour in any order', () => {
  const toned = { usermeta: { gridcast: { series: 'line', tone: 'part' } } };
  const rows = [{ line: 'lost', part: 'bad' }, { line: 'computing', part: 'good' }, { line: 'transfers', part: 'good' }];
  const [lost, computing, transfers] = seriesOf(toned, rows, []).colours;
  assert.equal(lost, '#d55e00');
  assert.equal(new Set([lost, computing, transfers]).size, 3);
  assert.equal(seriesOf(toned, rows.slice(1), []).colours[0], computing);
});

test('a figure has at most twenty series, the largest of a long list', () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({ strategy: `s${i}`, site: `x${i}`, n: i }));
  const series = seriesOf({ usermeta: { gridcast: { series: 'strategy' } } }, rows, ['s49', 's48']);
  assert.deepEqual([series.names.length, series.all, series.names.slice(0, 3)], [20, 50, ['s49', 's48', 's0']]);
  const top = topOf({ usermeta: { gridcast: { top: { field: 'site', by: 'n', count: 2 } } } }, rows);
  assert.deepEqual([top.rows.map((row) => row.site), top.left], [['x48', 'x49'], 48]);
});

const chart = { lanes: [{ id: 0, label: 'slot' }], job_lanes: [{ id: 0, label: 'a' }, { id: 1, label: 'b' }] };
const bars = barsOf([[10, 20, 1, 1, 0, -1], [0, 10, 0, 0, 0, -1], [20, 15, 2, 1, -1, -1]]);

test('bars lie in the rows of their slots or jobs, in order', () => {
  assert.deepEqual(rowsBy(chart, bars, 'lane').map((row) => row.bars.map((bar) => bar.start)), [[0, 10]]);
  assert.deepEqual(rowsBy(chart, bars, 'job').map((row) => row.bars.map((bar) => bar.start)), [[0], [10, 20]]);
  assert.deepEqual(extent(bars), [0, 20]); // no bar ends before it begins
  assert.deepEqual(extent([]), [0, 1]);
});

test('a window stays within the chart and around its point', () => {
  const bounds = { t0: 0, t1: 100, rows: 10 };
  assert.deepEqual(kept({ t0: -50, t1: 10, top: -3, rows: 5 }, bounds), { t0: 0, t1: 60, top: 0, rows: 5 });
  assert.deepEqual(kept({ t0: 90, t1: 120, top: 9, rows: 5 }, bounds), { t0: 70, t1: 100, top: 5, rows: 5 });
  const win = zoomed({ t0: 0, t1: 100, top: 0, rows: 5 }, 2, 25);
  assert.deepEqual([win.t0, win.t1], [12.5, 62.5]);
  assert.equal((25 - win.t0) / 50, 0.25); // the point is where it was
  assert.deepEqual(panned(win, 0.5, 1), { t0: 37.5, t1: 87.5, top: 1, rows: 5 });
});

test('the bar under the pointer', () => {
  const [row] = rowsBy(chart, bars, 'lane');
  assert.equal(barAt(row, 5, 0).start, 0);
  assert.equal(barAt(row, 15, 0).start, 10);
  assert.equal(barAt(row, 22, 1), null);
  assert.equal(barAt(row, 22, 3).start, 10);
  assert.equal(firstAt(row.bars, 12), 1);
});

test('keys go to the next bar and to the nearest of the next row', () => {
  const rows = rowsBy(chart, bars, 'job');
  const first = neighbour(rows, null, 'ArrowRight');
  assert.deepEqual([first.row, first.bar.start], [0, 0]);
  assert.equal(neighbour(rows, first, 'ArrowRight'), null);
  assert.equal(neighbour(rows, first, 'ArrowDown').bar.start, 10);
});

test('ticks are round and no more than asked for', () => {
  assert.deepEqual(ticks(0, 86400, 4), [0, 21600, 43200, 64800, 86400]);
  assert.ok(ticks(3, 1e7, 8).length <= 9);
});

test('the event at a time', () => {
  const events = [[1, 0, 'a'], [1, 1, 'b'], [5, 0, 'c']];
  assert.deepEqual([0, 1, 4, 9].map((t) => eventAt(events, t)), [-1, 1, 1, 2]);
});

test('the picture of the README is there, small, and made by a command that it names', async () => {
  const readme = await readFile(path.join(source, 'README.md'), 'utf8');
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\((docs\/images\/[^)]+)\)/g)].map((match) => match[1]);
  assert.ok(pictures.length >= 1);
  for (const file of pictures) assert.ok((await stat(path.join(source, file))).size < 400e3, file);
  assert.match(readme, /`tests\/page\/screenshots` made this picture/);
  assert.ok((await stat(path.join(source, 'tests/page/screenshots'))).mode & 0o100);
});

test('packages of npm are pinned by hashes and come from no address', async () => {
  for (const folder of ['web', 'web/reader', 'tests/page']) {
    const { packages } = JSON.parse(await readFile(path.join(source, folder, 'package-lock.json'), 'utf8'));
    for (const [name, each] of Object.entries(packages)) {
      assert.equal(each.resolved, undefined, name);
      if (name) assert.match(each.integrity ?? '', /^sha512-/, name);
    }
    const wanted = JSON.parse(await readFile(path.join(source, folder, 'package.json'), 'utf8'));
    for (const version of Object.values(wanted.devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
  }
});
