// The actions of a reader on the page: sort, filter, choose, zoom, step, download.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import * as documents from './documents.mjs';
import { open, start } from './harness.mjs';

let browser;
before(async () => { browser = await start(); });
after(() => browser?.stop());

const opened = async (document, options) => (await open(browser.context, await browser.write(document), options)).page;

const column = (page, index) => page.locator('#table-jobs tbody tr').evaluateAll((rows, i) => rows.map((row) => row.cells[i].dataset.value), index);

/** The window of the Gantt chart: first and last time, first row, rows. */
const windowOf = async (page) => (await page.locator('canvas').getAttribute('data-window')).split(' ').map(Number);

test('the table of jobs sorts, filters and turns its pages', async () => {
  const page = await opened(documents.only(documents.comparison(), 'sites'));
  await page.locator('#table-jobs th', { hasText: 'stalls' }).locator('button').click();
  const stalls = (await column(page, 3)).map(Number);
  assert.deepEqual(stalls, documents.jobTable(100).rows.map((row) => row[3]).sort((a, b) => b - a).slice(0, 25));
  assert.equal(await page.locator('#table-jobs th[aria-sort="descending"]').count(), 1);

  await page.locator('#filter-jobs').fill('chtc failed');
  const expected = documents.jobTable(100).rows.filter((row) => row[1] === 'CHTC' && row[4] === 'failed');
  assert.equal((await column(page, 0)).length, expected.length);
  assert.match(await page.locator('#table-jobs [role="status"]').textContent(), new RegExp(`^${expected.length} rows \\(100 in all\\)`));

  await page.locator('#filter-jobs').fill('');
  await page.locator('#table-jobs button', { hasText: 'Next rows' }).click();
  assert.match(await page.locator('#table-jobs [role="status"]').textContent(), /^Rows 26 to 50 of 100/);
  await page.close();
});

test('thousands of rows stay quick to filter', async () => {
  const document = documents.only(documents.comparison({ jobs: 5 }), 'sites');
  document.sections.find((each) => each.table).table = documents.jobTable(5000);
  const page = await opened(document);
  await page.locator('#filter-jobs').fill('4321.0');
  assert.deepEqual(await column(page, 0), ['4321.0']);
  await page.close();
});

test('a series can be taken out of its chart and put back', async () => {
  const page = await opened(documents.only(documents.comparison(), 'finish'));
  const figure = page.locator('figure[data-spec="finish_curve"]');
  const lines = () => figure.locator('svg .mark-line.role-mark > path').count();
  assert.equal(await lines(), 6); // a median and both ends of the band
  assert.equal(await figure.locator('.series label', { hasText: 'published' }).locator('input').isChecked(), true);
  await figure.locator('.series input').first().uncheck();
  assert.equal(await lines(), 3);
  await figure.locator('button', { hasText: 'all' }).click();
  assert.equal(await lines(), 30);
  await page.close();
});

test('a job of the table leads to its row of the Gantt chart', async () => {
  const page = await opened(documents.only(documents.comparison(), 'gantt', 'sites'));
  const [t0, t1] = await windowOf(page);
  await page.locator('#table-jobs button.link', { hasText: /^7\.0$/ }).click();
  assert.match(await page.locator('.said').textContent(), /job 7\.0/);
  const [from, to, top, rows] = await windowOf(page);
  assert.ok(to - from < t1 - t0 && from >= t0 && to <= t1);
  assert.ok(top <= 7 && 7 < top + rows);
  assert.equal(await page.locator('.toolbar select').inputValue(), 'job');
  await page.close();
});

test('the worst jobs can be jumped to', async () => {
  const document = documents.only(documents.comparison(), 'gantt');
  const { worst } = document.sections.find((each) => each.gantt).gantt;
  const page = await opened(document);
  await page.locator('.worst button').first().click();
  assert.match(await page.locator('.said').textContent(), new RegExp(`job ${worst[0].job_lane}\\.0`));
  assert.match(await page.locator('.said').textContent(), /reason/);
  await page.close();
});

test('the Gantt chart zooms and pans by wheel, drag, keys and buttons', async () => {
  const page = await opened(documents.only(documents.comparison(), 'gantt'));
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  const whole = await windowOf(page);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await page.waitForFunction((before) => document.querySelector('canvas').dataset.window !== before, whole.map((x) => x.toFixed(3)).join(' '));
  const closer = await windowOf(page);
  assert.ok(closer[1] - closer[0] < 0.8 * (whole[1] - whole[0]));

  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 100, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const later = await windowOf(page);
  assert.ok(later[0] > closer[0]);
  assert.ok(Math.abs(later[1] - later[0] - (closer[1] - closer[0])) < 1);

  await canvas.focus();
  await page.keyboard.press('+');
  assert.ok((await windowOf(page))[1] - (await windowOf(page))[0] < later[1] - later[0]);
  await page.keyboard.press('Home');
  assert.deepEqual((await windowOf(page)).slice(0, 2), whole.slice(0, 2));
  await page.getByRole('button', { name: 'Zoom in' }).click();
  assert.ok(Math.abs((await windowOf(page))[1] - (await windowOf(page))[0] - (whole[1] - whole[0]) / 1.6) < 1);
  await page.close();
});

test('the arrow keys go from bar to bar and name each', async () => {
  const document = documents.only(documents.comparison(), 'gantt');
  const page = await opened(document);
  await page.locator('canvas').focus();
  const { bars } = document.sections.find((each) => each.gantt).gantt;
  const firstLane = bars.filter((bar) => bar[4] === 0).sort((a, b) => a[0] - b[0]);
  for (const bar of firstLane.slice(0, 3)) {
    await page.keyboard.press('ArrowRight');
    const said = await page.locator('.said').textContent();
    assert.match(said, new RegExp(`job ${bar[3]}\\.0 · phase ${['waiting', 'matched', 'transfer', 'stalled', 'executing'][bar[2]] ?? '\\w+'}`));
  }
  await page.close();
});

test('a curve is zoomed by keys and by a stroke of the mouse, and its marks are read aloud', async () => {
  const page = await opened(documents.only(documents.comparison(), 'finish'));
  const figure = page.locator('figure[data-spec="finish_curve"]');
  const chart = figure.locator('.chart');
  const ticks = async () => (await figure.locator('svg .role-axis-label text').allTextContents()).sort();
  const whole = await ticks();
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await figure.locator('[role="status"]').textContent(), /strategy .*time \(/);
  assert.equal(await page.locator('.tip:not([hidden])').count(), 1);
  await page.keyboard.press('+');
  await page.waitForTimeout(100);
  assert.notDeepEqual(await ticks(), whole);
  await page.keyboard.press('Home');
  await page.waitForTimeout(100);
  assert.deepEqual(await ticks(), whole);
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(100);
  assert.notDeepEqual(await ticks(), whole);
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + box.height / 2);
  await page.waitForTimeout(100);
  assert.deepEqual(await ticks(), whole);
  await page.close();
});

test('two campaigns with the same random numbers, one below the other, show the same time and follow the same job', async () => {
  const document = documents.sameRandom(['published', 'upgrade', 'never']);
  const page = await opened(document);
  const { end } = document.sections[0].gantt;
  assert.ok(document.sections[0].other_gantts.some((each) => Math.max(...each.bars.map((bar) => bar[1])) < end), 'ends differ');
  assert.equal((await windowOf(page))[1], Number(end.toFixed(3)), 'one axis for all');
  assert.equal(await page.locator('canvas').count(), 1);
  await page.getByLabel('below it').selectOption('upgrade');
  assert.equal(await page.locator('canvas').count(), 2);
  const windows = async () => (await page.locator('canvas').evaluateAll((all) => all.map((each) => each.dataset.window.split(' ').map(Number))));
  await page.locator('canvas').first().focus();
  await page.keyboard.press('+');
  const [above, below] = await windows();
  assert.deepEqual(above.slice(0, 2), below.slice(0, 2));
  await page.locator('.worst button').first().click();
  const job = /job (\d+\.0)/.exec(await page.locator('.said').first().textContent())[1];
  assert.match(await page.locator('.said').nth(1).textContent(), new RegExp(`job ${job.replace('.', '\\.')} `));
  await page.locator('#pick-jobs-and-slots').selectOption('never');
  assert.match(await page.locator('figcaption h3').first().textContent(), /strategy never/);
  assert.match(await page.locator('figcaption h3').nth(1).textContent(), /strategy upgrade/);
  await page.close();
});

test('a value that is picked in one figure is shown by all, with its own sentence', async () => {
  const document = documents.sameRandom(['published', 'upgrade']);
  const rows = ['published', 'upgrade'].map((strategy, i) => ['computing', 'good', 3600 + i, 'predicted', 3000, 4000, strategy]);
  const columns = ['line', 'part', 'seconds', 'source', 'lo', 'hi', 'strategy'].map((name) => ({ name, type: ['seconds', 'lo', 'hi'].includes(name) ? 'number' : 'text' }));
  document.sections.push({ id: 'times', title: 'Times', text: [], figures: [{ id: 'waterfall-1', title: 'Times', says: 'Of the baseline.', says_by: { published: 'Of the baseline.', upgrade: 'Of the other one.', idle: 'Nothing.' }, spec: 'waterfall', columns, rows }] });
  const page = await opened(document);
  await page.locator('#pick-gantt, #pick-jobs-and-slots').first().selectOption('upgrade');
  assert.equal(await page.locator('#figure-waterfall-1 .says').textContent(), 'Of the other one.');
  assert.equal(await page.locator('#pick-waterfall-1').inputValue(), 'upgrade');
  assert.deepEqual(await page.locator('#section-jobs .says').allTextContents(), ['19 jobs.\nOf upgrade.']);
  assert.equal(await page.locator('#section-jobs tbody tr').count(), 19);
  await page.locator('#pick-waterfall-1').selectOption('idle');
  assert.match(await page.locator('#figure-waterfall-1').textContent(), /There is no data under idle/);
  await page.close();
});

test('hovering a bar shows its reason', async () => {
  const document = documents.only(documents.comparison(), 'gantt');
  const page = await opened(document);
  await page.locator('.worst button').first().click(); // brings a stalled or held bar into the middle
  const box = await page.locator('canvas').boundingBox();
  const tips = new Set();
  for (let x = 0.2; x < 1; x += 0.02) {
    for (const y of [0.3, 0.5, 0.7]) {
      await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
      const tip = page.locator('.tip:not([hidden])');
      if (await tip.count()) tips.add(await tip.textContent());
    }
  }
  assert.ok([...tips].some((tip) => tip.includes('phaseexecuting')), [...tips].join('\n'));
  assert.ok([...tips].some((tip) => /reason(No data for 15 minutes|Transfer input files failure|The job left the slot)/.test(tip)));
  await page.close();
});

test('a lesson runs, pauses and steps over its events', async () => {
  const document = documents.lesson();
  const { events, event_words: words } = document.sections[0].gantt;
  const page = await opened(document);
  const step = page.getByRole('button', { name: 'Step', exact: true });
  for (let i = 0; i < 3; i += 1) await step.click();
  assert.match(await page.locator('.clock').textContent(), new RegExp(`event 3 of ${events.length}`));
  assert.equal(await page.locator('.events li').count(), 3);
  assert.match(await page.locator('.events li').last().textContent(), new RegExp(words[events[2][2]]));
  await page.getByRole('button', { name: 'Step back' }).click();
  assert.match(await page.locator('.clock').textContent(), new RegExp(`event 2 of ${events.length}`));
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction(() => !/event 2 of/.test(document.querySelector('.clock').textContent));
  await page.getByRole('button', { name: 'Pause' }).click();
  const paused = await page.locator('.clock').textContent();
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.clock').textContent(), paused);
  await page.close();
});

/** What a button saves. The browser takes many at once for abuse. */
async function downloaded(page, target) {
  await page.waitForTimeout(150);
  const [download] = await Promise.all([page.waitForEvent('download'), target.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('figures are SVG and PNG files, and their data CSV and Markdown', async () => {
  const page = await opened(documents.comparison());
  for (const figure of documents.drawings()) {
    const part = page.locator(`figure[data-spec="${figure.spec}"] .files button`);
    const csv = await downloaded(page, part.nth(2));
    assert.equal(csv.text.trim().split('\r\n').length, figure.rows.length + 1);
    assert.equal(csv.text.split('\r\n')[0], figure.columns.map((each) => each.name).join(','));
    const markdown = await downloaded(page, part.nth(3));
    assert.equal(markdown.text.trim().split('\n').length, figure.rows.length + 2, figure.spec);
    const svg = await downloaded(page, part.nth(0));
    assert.match(svg.text, /^<svg xmlns/);
    assert.ok(svg.text.includes(figure.title), figure.spec);
    const shown = await page.locator(`figure[data-spec="${figure.spec}"] .chart svg .role-mark > path`).count();
    assert.ok(svg.text.split('<path').length - 1 >= shown, `${figure.spec}: marks`);
  }
  await page.close();
});

/** Size and the number of colours of an image file. */
async function looked(page, file) {
  const data = (await readFile(file)).toString('base64');
  return page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return { width: image.width, height: image.height, corner: [...pixels.slice(0, 3)], colours: colours.size, orange: colours.has(0xd55e00), green: colours.has(0x00936b) };
  }, data);
}

test('the pictures of a dark page are light and have its marks, also the Gantt chart', async () => {
  const page = await opened(documents.only(documents.decided({ jobs: 12, strategies: 4 }), 'verdict', 'gantt'), { theme: 'dark' });
  for (const part of ['figure[data-spec="trade_off"]', 'figure.gantt']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`${part} .files button`).nth(1).click()]);
    const found = await looked(page, await download.path());
    assert.deepEqual(found.corner, [255, 255, 255]);
    assert.ok(found.width > 900 && found.height > 300 && found.colours > 20, JSON.stringify(found));
    assert.ok(found.green, `${part}: the best, or an execution`);
  }
  await page.waitForTimeout(150);
  const svg = await downloaded(page, page.locator('figure.gantt .files button').nth(0));
  const { bars } = documents.gantt(12);
  assert.ok(svg.text.split('<rect').length - 1 >= bars.length, 'a mark for each bar');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.close();
});
