// The pages of every kind that the program writes, as readers open them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { open, start } from './harness.mjs';

const source = process.env.GRIDCAST_SOURCE;
const scenario = 'scenarios/osg-imagenet.yaml';
const table = 'calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv';
const pool = 'calibration/data/htcondor-pool/c1-sweep';
const log = ['c1-sweep.log', 'epochs.json', 'epochs.INPUT.json'].map((file) => `${pool}/${file}`);

let browser;
let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'gridcast-reports-'));
  browser = await start();
});
after(async () => {
  await browser?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = promisify(execFile);

/** The page keeps six digits. */
function same(shown, reported, what) {
  assert.equal(shown === null, reported === null, what);
  assert.ok(reported === null || Math.abs(shown - reported) <= 5e-6 * Math.abs(reported), `${what}: ${shown}, and not ${reported}`);
}

/** @returns {Promise<string>} what the program prints */
const gridcast = async (...words) => (await run(process.env.GRIDCAST, words, { cwd: source, maxBuffer: 1e8 })).stdout;

/** The page that a verb writes: its file, and what is printed beside it. */
async function written(name, ...words) {
  const file = path.join(folder, `${name}.html`);
  const printed = await gridcast(...words, ...(words[0] === 'report' ? ['-o'] : ['--report']), file);
  return { file, printed };
}

/** The document in a page. */
async function documentOf(file) {
  const [, json] = /<script type="application\/json" id="gridcast-report">(.*?)<\/script>/s.exec(await readFile(file, 'utf8'));
  return JSON.parse(json);
}

/** Sections in the order in which a report is read. */
const order = ['verdict', 'parameters', 'finish', 'critical-path', 'where-the-time-went', 'strategies', 'gantt', 'sites', 'jobs', 'observed-and-predicted', 'provenance'];

async function checkFigures(page, document) {
  for (const figure of document.sections.flatMap((section) => section.figures)) {
    const part = page.locator(`figure[id="figure-${figure.id}"]`);
    const marks = await part.locator('svg .role-mark > path, svg .role-mark > line').count();
    assert.ok(marks > 0 && figure.rows.length > 0, `${figure.id}: nothing is drawn`);
    assert.match(figure.says, /^.{10,}\.$/s, `${figure.id} says nothing`);
    assert.equal(await part.locator('.says').textContent(), figure.says);
    assert.equal(await part.locator('.files button').count(), 4);
    await part.locator('.numbers > summary').click();
    const shown = await part.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? null)));
    assert.deepEqual(shown, figure.rows.slice(0, shown.length).map((row) => row.map((value) => (value === null ? null : String(value)))), figure.id);
  }
}

/** No sentence with a number that is none, or with something left unsaid. */
function checkWords(document) {
  const words = [document.title, ...document.answer, ...document.assumptions,
    ...document.sections.flatMap((section) => [...section.text, ...section.figures.map((each) => each.says), section.table?.says ?? '', section.gantt?.says ?? ''])];
  for (const text of words) assert.doesNotMatch(text, /\bnan\b|\binf\b|undefined|after not known|\(0 of 0 points\)|\b1 (sites|jobs|periods|slots)\b/i);
}

/** What holds of every page; it stays open. */
async function checked(file, { kind, sections }) {
  const document = await documentOf(file);
  assert.equal(document.kind, kind);
  const ids = document.sections.map((section) => section.id);
  assert.deepEqual(ids.filter((id) => sections.includes(id)), sections, `${kind}: ${ids}`);
  assert.deepEqual(ids, order.filter((id) => ids.includes(id)), 'in their order');
  checkWords(document);
  const { page, complaints, requests } = await open(browser.context, file);
  assert.deepEqual(complaints, []);
  assert.equal(requests.length, 1, `asked for: ${requests}`);
  assert.equal(await page.locator('.answer .first').textContent(), document.answer[0]);
  const headings = await page.locator('section.part > .fold > summary').allTextContents();
  assert.deepEqual(headings.slice(0, ids.length), document.sections.map((section) => section.title));
  assert.match(await page.locator('#licences').textContent(), /vega-lite/);
  await checkFigures(page, document);
  return { page, document };
}

/** In no figure or table has a strategy a time under which the wanted jobs never finish in the median. */
function checkNever(document, result) {
  const never = Object.entries(result.strategies).filter(([, each]) => each.finish?.wanted_quantiles_s[50] === null).map(([name]) => name);
  assert.ok(never.length > 0, 'nothing to check');
  const tables = [document.options, document.figure, ...document.sections.map((section) => section.table), ...document.sections.flatMap((section) => section.figures)];
  for (const { id, columns, rows } of tables.filter(Boolean)) {
    const name = columns.findIndex((column) => ['strategy', 'option'].includes(column.name));
    const times = columns.flatMap((column, i) => (/^(wanted_s|time)(_p50|_s)?$/.test(column.name) ? [i] : []));
    for (const row of rows.filter((each) => never.includes(each[name]))) {
      for (const at of times) assert.equal(row[at], 'never', `${id}: ${row[name]}`);
    }
    assert.ok(!columns.some((column) => column.name.startsWith('makespan')), `${id} has the last job's end, whatever succeeded`);
  }
}

/** What is serious to axe, in light and dark. */
async function seriousToAxe(page) {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = [];
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    found.push(...violations.filter((each) => ['serious', 'critical'].includes(each.impact) || each.id.startsWith('landmark'))
      .map((each) => `${theme}: ${each.id}: ${each.nodes[0].html.slice(0, 200)}`));
  }
  return found;
}

const ofRun = ['finish', 'where-the-time-went', 'gantt', 'sites', 'jobs', 'provenance'];

test('compare: its page has the numbers of its JSON, in both tables and words', async () => {
  const { file, printed } = await written('compare', 'compare', scenario, '-n', '6', '-j', '2', '--json', '--deadline', '2 d');
  const { page, document } = await checked(file, { kind: 'comparison', sections: ['verdict', ...ofRun.slice(0, 2), 'strategies', ...ofRun.slice(2)] });
  const result = JSON.parse(printed);
  assert.ok((await stat(file)).size < 1.5e6);

  const rows = await page.locator('#table-strategies tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => ({ ...cell.dataset }))));
  const heads = await page.locator('#table-strategies thead th').allTextContents();
  assert.equal(rows.length, Object.keys(result.strategies).length);
  const reported = document.sections.find((section) => section.id === 'strategies').table.columns;
  for (const row of rows) {
    const { metrics, finish } = result.strategies[row[0].value];
    same(metrics.makespan_s.p50, finish.wanted_quantiles_s[50], `${row[0].value}: one makespan`);
    for (const metric of ['succeeded', 'badput_s', 'gpu_hours_per_success']) {
      const { title } = reported.find((column) => column.name === `${metric}_p50`);
      const { value, low, high } = row[heads.findIndex((head) => head.startsWith(title))];
      for (const [shown, quantile] of [[low, 'p05'], [value, 'p50'], [high, 'p95']]) {
        same(shown === undefined ? null : Number(shown), metrics[metric]?.[quantile] ?? null, `${row[0].value} ${metric} ${quantile}`);
      }
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const wide = await page.locator('.table-block .table-scroll').evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => `${each.getAttribute('aria-label')}: ${each.scrollWidth}`));
  assert.deepEqual(wide, [], 'tables that do not fit');
  checkNever(document, result);
  const published = result.strategies.published.metrics;
  assert.match(document.answer[0], /^(Decided:|Undecided: on average) [\w.-]+ (finishes|is the fastest|needs the fewest) |^No material difference /);
  const baseline = document.answer.find((each) => each.startsWith('With the published strategy '));
  assert.match(baseline, /^With the published strategy \d+ of 100 jobs finish .*, (but never the wanted 90|90 of them in .*), for \d+ GPU hours /);
  assert.ok(document.answer.indexOf(baseline) <= 2, 'it is seen at once');
  // A median between two numbers of jobs is rounded to either.
  const finished = Number(baseline.match(/(\d+) of 100 jobs finish/)[1]);
  assert.ok(Math.abs(finished - published.succeeded.p50) <= 0.5, baseline);
  const share = (100 * published.badput_s.mean) / published.wallclock_s.mean;
  assert.ok(baseline.includes(`${share.toFixed(0)} % of the slot time is lost`), baseline);
  assert.deepEqual(await seriousToAxe(page), []);
  const goodput = document.sections.find((section) => section.id === 'strategies').table.columns.find((column) => column.name === 'goodput_fraction_p50');
  assert.equal(goodput.unit, '%');
  {
    const { table, other_tables: others } = document.sections.find((section) => section.id === 'jobs');
    assert.deepEqual([table, ...others].map((each) => each.strategy).sort(), [...new Set(document.sections.find((section) => section.id === 'where-the-time-went').figures[0].rows.map((row) => row.at(-1)))].sort());
  }
  await page.setViewportSize({ width: 688, height: 900 }); // A4 between its margins
  await page.emulateMedia({ media: 'print' });
  const cut = await page.locator('.table-block table').evaluateAll((all) => all.filter((table) => table.getBoundingClientRect().right > innerWidth + 1).map((table) => table.textContent.slice(0, 80)));
  assert.deepEqual(cut, [], 'tables that are cut off in print');
  assert.equal(await page.locator('.contents').isVisible(), false);
  await page.close();
});

test('compare: the best is drawn first, and the baseline is always drawn', async () => {
  const { page } = await open(browser.context, path.join(folder, 'compare.html'));
  const best = /(?:Decided:|Undecided: on average) ([\w.-]+)|With ([\w.-]+) \d+ of/.exec(await page.locator('.answer .first').textContent()).slice(1).find(Boolean);
  const labels = page.locator('#figure-finish-curve .series label');
  assert.equal((await labels.first().textContent()).trim(), best);
  assert.equal(await labels.filter({ hasText: /^\s*published/ }).locator('input').isChecked(), true);
  await page.close();
});

test('run: jobs link into the chart, and a bar shows its reason', async () => {
  const { file, printed } = await written('run', 'run', scenario, '--replica', '3', '--json');
  const { page, document } = await checked(file, { kind: 'run', sections: ofRun });
  const jobs = document.sections.find((section) => section.id === 'jobs').table;
  const { metrics } = JSON.parse(printed);
  const ended = jobs.columns.findIndex((column) => column.type === 'text' && !column.link);
  assert.equal(jobs.rows.filter((row) => row[ended] === 'succeeded').length, metrics.succeeded);
  await page.locator('#table-jobs button.link').nth(3).click();
  assert.match(await page.locator('.said').textContent(), new RegExp(`job ${jobs.rows[3][0].replace('.', '\\.')}\\b`));
  // A run that was ended from outside has a reason; a job that computed for too long begins with a good transfer.
  await page.locator('.worst li').filter({ hasText: 'stalls' }).locator('button').first().click();
  assert.match(await page.locator('.said').textContent(), /reason/);
  await page.close();
});

test('predict: observed beside predicted', async () => {
  const { file, printed } = await written('predict', 'predict', scenario, '-n', '4', '-j', '2', '--against', table, '--json');
  const { page, document } = await checked(file, { kind: 'prediction', sections: [...ofRun.slice(0, -1), 'observed-and-predicted', 'provenance'] });
  const { metrics } = JSON.parse(printed);
  const waterfall = document.sections.find((section) => section.id === 'where-the-time-went').figures[0];
  const line = waterfall.rows.find((row) => row[0] === 'computing that gave the results' && row[3] === 'predicted');
  same(line[2], metrics.compute_success_s.mean, 'computing that gave the results');
  assert.equal(new Set(waterfall.rows.map((row) => row[3])).size, 2);
  await page.close();
});

test('replay and ledger of a table: no dates, and that is said', async () => {
  for (const [kind, ...words] of [['replay', 'replay', table, '-n', '2'], ['ledger', 'ledger', table]]) {
    const { file } = await written(`${kind}-table`, ...words);
    const { page, document } = await checked(file, { kind, sections: ['where-the-time-went', 'sites', 'jobs', 'provenance'] });
    assert.ok(document.notices.some((notice) => /no dates/.test(notice.text)));
    assert.equal(await page.locator('canvas').count(), 0);
    await page.close();
  }
});

test('ledger of a log: chart, jobs', async () => {
  const { file, printed } = await written('log', 'ledger', ...log, '--json');
  const { page, document } = await checked(file, { kind: 'ledger', sections: ['finish', 'where-the-time-went', 'gantt', 'sites', 'jobs', 'provenance'] });
  const jobs = document.sections.find((section) => section.id === 'jobs').table;
  assert.equal(jobs.rows.length, JSON.parse(printed).metrics.jobs);
  assert.deepEqual(await seriousToAxe(page), []);
  await page.close();
});

test('report of results: side by side, and a result alone', async () => {
  const results = [];
  for (const [name, ...words] of [['a', 'compare', scenario, '-n', '4', '-j', '2', '--seed', '2', '--json'], ['b', 'predict', scenario, '-n', '4', '-j', '2', '--json']]) {
    results.push(path.join(folder, `${name}.json`));
    await writeFile(results.at(-1), await gridcast(...words));
  }
  const both = await written('both', 'report', ...results);
  const { page, document } = await checked(both.file, { kind: 'comparison', sections: ['verdict', 'finish', 'where-the-time-went', 'strategies', 'sites', 'provenance'] });
  assert.match(document.subtitle, /2 results side by side/);
  await page.close();
  const alone = await written('alone', 'report', results[1]);
  const { page: one } = await checked(alone.file, { kind: 'prediction', sections: ['finish', 'where-the-time-went', 'strategies', 'sites', 'provenance'] });
  await one.close();
});

const ofTraining = 10; // this lesson simulates one training, and a page shows a campaign

test('every lesson of a campaign has a page with an event log to step through', async () => {
  const { lessons } = JSON.parse(await gridcast('lesson', 'list', '--json'));
  assert.ok(lessons.length >= 10);
  for (const { lesson } of lessons.filter((each) => each.lesson !== ofTraining)) {
    const { file } = await written(`lesson-${lesson}`, 'lesson', 'run', String(lesson));
    const document = await documentOf(file);
    assert.equal(document.kind, 'lesson');
    checkWords(document);
    const { events } = document.sections.find((section) => section.id === 'gantt').gantt;
    assert.ok(events?.length > 10, `lesson ${lesson}`);
    assert.ok(events.every((event, i) => i === 0 || event[0] >= events[i - 1][0]), `lesson ${lesson}: in order`);
  }
});

for (const lesson of [6, 11]) test(`lesson ${lesson} plays, pauses and steps over its event log`, async () => {
  const file = path.join(folder, `lesson-${lesson}.html`);
  const { page, document } = await checked(file, { kind: 'lesson', sections: ['where-the-time-went', 'gantt'] });
  const { events, event_words: words } = document.sections.find((section) => section.id === 'gantt').gantt;
  const clock = page.locator('.clock');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  assert.match(await clock.textContent(), new RegExp(`event 2 of ${events.length}`));
  assert.ok((await page.locator('.events li').last().textContent()).includes(words[events[1][2]]));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => !/event 2 of/.test(document.querySelector('.clock').textContent));
  await page.getByRole('button', { name: 'Pause' }).click();
  const paused = await clock.textContent();
  await page.waitForTimeout(200);
  assert.equal(await clock.textContent(), paused);
  await page.close();
});

test('names that mean mischief, in a real log, are text', async () => {
  const hostile = '</script><img src=x onerror=window.injected=1>';
  const original = await readFile(path.join(source, 'calibration/data/htcondor-pool/check/ok.log'), 'utf8');
  const file = path.join(folder, 'hostile.log');
  await writeFile(file, original.replaceAll('"SITE-A"', `"${hostile}"`).replaceAll('Transfer output files failure', `${hostile} שלום "x"`));
  const { file: html } = await written('hostile', 'ledger', file);
  const { page } = await checked(html, { kind: 'ledger', sections: ['gantt', 'sites'] });
  assert.equal(await page.evaluate(() => window.injected), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.ok((await page.locator('#section-sites').textContent()).includes(hostile));
  await page.close();
});

test('the page shows a campaign without jobs, and a job that never ran', async () => {
  await writeFile(path.join(folder, 'zero.json'), '{"schema": "gridcast.ledger/1", "metrics": {"jobs": 0}, "sites": {}}');
  await writeFile(path.join(folder, 'single.log'), '000 (001.000.000) 2026-01-01 00:00:00 Job submitted from host: <127.0.0.1:9618>\n...\n');
  for (const [name, ...words] of [['zero', 'report', path.join(folder, 'zero.json')], ['single', 'ledger', path.join(folder, 'single.log')]]) {
    const { file } = await written(name, ...words);
    const { page, complaints } = await open(browser.context, file);
    assert.deepEqual(complaints, []);
    assert.match(await page.locator('.answer .first').textContent(), /no job|0 of 1 job/);
    await page.close();
  }
});
