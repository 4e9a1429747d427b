// Each kind of report opens from disk, draws every figure, and shows the numbers that are in it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as documents from './documents.mjs';
import { open, start } from './harness.mjs';

let browser;
before(async () => { browser = await start(); });
after(() => browser?.stop());

/** Opens a document, and makes sure that nothing complained and nothing but the file was asked for. */
async function opened(document, options) {
  const file = await browser.write(document);
  const { page, complaints, requests } = await open(browser.context, file, options);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.length, 1, `asked for: ${requests}`);
  return page;
}

/** Marks in a figure: by kind, how many the fixture has. */
const marks = {
  waterfall: { rect: 10, rule: 5 },
  finish_curve: { line: 6, area: 2, rule: 1 }, // medians, and both ends of each band
  finish_lines: { line: 1 },
  paired_differences: { symbol: 27, rule: 30 },
  coverage: { symbol: 3 },
};

test('every drawing is drawn, with a mark for each value', async () => {
  const page = await opened(documents.comparison());
  for (const figure of documents.drawings()) {
    const expected = marks[figure.spec];
    assert.ok(expected, `no expectation for ${figure.spec}`);
    for (const [kind, count] of Object.entries(expected)) {
      const shape = kind === 'rule' ? 'line' : 'path';
      const found = await page.locator(`figure[data-spec="${figure.spec}"] svg .mark-${kind}.role-mark > ${shape}`).count();
      assert.equal(found, count, `${figure.spec}: ${kind}`);
    }
  }
  assert.equal(await page.locator('figure .chart').count(), await page.locator('figure .chart svg').count());
  await page.close();
});

test('bars are as long as their numbers', async () => {
  const page = await opened(documents.only(documents.comparison(), 'where-the-time-went'));
  const widths = await page.locator('figure[data-spec="waterfall"] svg .mark-rect.role-mark > path')
    .evaluateAll((bars) => bars.map((bar) => bar.getBBox().width));
  const values = documents.drawings()[0].rows.map((row) => row[2]);
  widths.forEach((width, i) => assert.ok(Math.abs(width / widths[0] - values[i] / values[0]) < 0.01, `bar ${i}`));
  await page.close();
});

test('each figure has its sentence, its numbers and its files', async () => {
  const page = await opened(documents.comparison());
  for (const figure of documents.drawings()) {
    const part = page.locator(`figure[data-spec="${figure.spec}"]`);
    assert.equal(await part.locator('.says').textContent(), figure.says);
    assert.match(await part.locator('.chart').first().getAttribute('aria-label'), new RegExp(figure.says));
    await part.locator('summary').click();
    const cells = await part.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? null)));
    const expected = figure.rows.slice(0, cells.length).map((row) => row.map((value) => (value === null ? null : String(value))));
    assert.deepEqual(cells, expected, figure.spec);
    assert.deepEqual(await part.locator('.files button').allTextContents(), ['SVG', 'PNG', 'CSV', 'Markdown']);
  }
  await page.close();
});

test('an option that never finishes is in a lane of its own, and its time is "never"', async () => {
  const document = documents.only(documents.decided({ jobs: 3, strategies: 9 }), 'verdict');
  const page = await opened(document);
  const figure = page.locator('figure[data-spec="trade_off"]');
  const points = figure.locator('svg .mark-symbol.role-mark > path');
  assert.equal(await points.count(), 9);
  const lane = await figure.locator('svg .mark-rect.role-mark > path').first().boundingBox();
  const places = await points.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  document.figure.rows.forEach((row, i) => assert.equal(places[i] >= lane.x, row[3] === 'never', row[1]));
  const times = await page.locator('#table-options tbody tr').evaluateAll((rows) => rows.map((row) => row.cells[4].textContent));
  document.options.rows.forEach((row, i) => assert.equal(times[i].startsWith('never'), row[6] === 'never', times[i]));
  assert.match(times[0], /^1\.16 \(1\.04 to never\)$/);
  await page.close();
});

/** Every label of the trade-off figure is drawn, and no two overlap. */
async function labelsAreApart(page, labels, size) {
  const boxes = await page.locator('figure[data-spec="trade_off"] svg .mark-text.role-mark text').evaluateAll((all) =>
    all.map((each) => ({ label: each.textContent, ...JSON.parse(JSON.stringify(each.getBoundingClientRect())) })));
  assert.equal(boxes.filter(({ label }) => /^\d/.test(label)).length, labels, boxes.map(({ label }) => label).join());
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
      assert.ok(apart, `${a.label} and ${b.label} at ${size}`);
    }
  }
}

/** On a desk, on a phone, and in a window that becomes narrow. */
async function labelsAreApartEverywhere(document, labels) {
  const phone = { width: 390, height: 844 };
  for (const size of [phone, { width: 1440, height: 900 }]) {
    const page = await opened(document, { size });
    await labelsAreApart(page, labels, `${size.width}`);
    if (size !== phone) {
      const chart = page.locator('figure[data-spec="trade_off"] .chart svg');
      const before = await chart.getAttribute('width');
      await page.setViewportSize(phone);
      for (let i = 0; i < 50 && (await chart.getAttribute('width')) === before; ++i) await page.waitForTimeout(100);
      await labelsAreApart(page, labels, 'a window that became narrow');
    }
    await page.close();
  }
}

test('labels of options that never finish are apart, also on a phone', async () => {
  const document = documents.only(documents.decided({ jobs: 3, strategies: 12 }), 'verdict');
  const hours = [6.1, 11.5, 7.2, 8, 8, 8, 8.4, 9.1, 10.3, 8.1, 6.9, 8.2];
  const mark = (i) => (i === 0 ? 'best on average' : i === 7 ? 'baseline' : '');
  document.figure.rows = hours.map((h, i) => [String(i + 1), `option-${i}`, mark(i), i < 2 ? 1e5 + 2.2e5 * i : 'never', 9e4, 'never', h, h * 0.7, h * 1.8]);
  await labelsAreApartEverywhere(document, 12);
});

test('labels of options that finish at one place, or near it, are apart', async () => {
  const document = documents.only(documents.decided({ jobs: 3, strategies: 9 }), 'verdict');
  const mark = (i) => ['recommended', 'equally good', 'equally good', '', 'baseline'][i] ?? '';
  const near = [[1e5, 6], [1e5, 6], [1e5, 6], [1.1e5, 6.1], [1.5e5, 5.9], [2.6e5, 6], [4.6e5, 8], [4.9e5, 8.1], [5e5, 8]];
  document.figure.rows = near.map(([time, h], i) => [String(i + 1), `option-${i}`, mark(i), time, 9e4, 5e5, h, h * 0.9, h * 1.1]);
  document.figure.params = { end_s: 5e5, top_h: 1.6 * 8.1, deadline_s: 4.9e5 };
  await labelsAreApartEverywhere(document, 9);
});

/** Texts of a drawing that are cut at its edge. */
const outside = (figure) => figure.locator('.chart svg').evaluateAll((all) => all.flatMap((svg) => {
  const whole = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((each) => [each.textContent, each.getBoundingClientRect()]);
  return texts.filter(([, box]) => box.width && (box.left < whole.left - 1 || box.right > whole.right + 1)).map(([text]) => text);
}));

test('where no option reaches the wanted share, the axis has the unit of the deadline, and each label a line to its point', async () => {
  const document = documents.only(documents.decided({ jobs: 3, strategies: 3 }), 'verdict');
  const hours = [[1.2, 1.1, 1.3], [6.7, 5.9, 7.9], [0.8, 0.7, 0.9]];
  document.figure.rows = ['recommended', '', 'baseline'].map((mark, i) => [String(i + 1), `option-${i}`, mark, 'never', 'never', 'never', ...hours[i]]);
  document.figure.params = { end_s: 324000, top_h: 10.7, deadline_s: 259200 };
  for (const row of document.options.rows) row.fill('never', 6, 9);
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await opened(document, { size });
    const figure = page.locator('figure[data-spec="trade_off"]');
    assert.match(await figure.locator('svg').first().textContent(), /\(d\)/);
    assert.deepEqual(await outside(figure), [], `${size.width}`);
    const leaders = figure.locator('svg line[stroke-dasharray="1,2"]');
    assert.deepEqual(await leaders.evaluateAll((all) => all.map((each) => Number(each.getAttribute('opacity') ?? 1) > 0 && each.getBBox().height > 0)), [true, true, true]);
    assert.equal(await page.locator('#table-options thead').getByText('(s)').count(), 0);
    await page.close();
  }
});

test('several scenarios have an overview and a first part each', async () => {
  const one = documents.decided({ jobs: 3, strategies: 3 });
  const overview = { id: 'overview', title: 'The scenarios', says: 'Two.', columns: one.options.columns.slice(0, 2), rows: [['1', 'a'], ['2', 'b']] };
  const other = { ...one, title: 'Another one', figure: { ...one.figure, id: 'trade-off-2' }, options: { ...one.options, id: 'options-2' } };
  const page = await opened({ ...documents.only(one, 'verdict'), overview, others: [other] });
  assert.equal(await page.locator('h1').textContent(), '2 scenarios');
  assert.deepEqual(await page.locator('.brief > h2').allTextContents(), [one.title, 'Another one']);
  assert.equal(await page.locator('#table-overview tbody tr').count(), 2);
  await page.setViewportSize({ width: 390, height: 844 });
  const head = await page.locator('#table-overview thead').evaluate((each) => each.getBoundingClientRect().height);
  assert.ok(head <= 2, `on a telephone the heads take ${head} px, beside each figure they take none`);
  assert.equal(await page.locator('.brief .chart svg').count(), 2);
  await page.close();
});

test('the table of jobs shows the numbers of the report', async () => {
  const page = await opened(documents.only(documents.comparison(), 'sites'));
  const { rows } = documents.jobTable(100);
  const shown = await page.locator('#table-jobs tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  shown.forEach((cells, i) => {
    assert.equal(cells[0], rows[i][0]);
    assert.equal(Number(cells[2]), rows[i][2] / 3600); // in hours
    assert.equal(Number(cells[3]), rows[i][3]);
  });
  await page.close();
});

test('a name from a log is text, whatever it says', async () => {
  const page = await opened(documents.oddNames());
  assert.equal(await page.evaluate(() => window.injected), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('h1').textContent(), `Campaign ${documents.hostile}`);
  assert.equal(await page.locator('#table-jobs tbody tr td').first().textContent(), documents.hostile);
  assert.equal(await page.locator('#table-jobs tbody tr').nth(1).locator('bdi').first().count(), 1);
  await page.locator('#table-jobs button.link').first().click();
  assert.match(await page.locator('.said').textContent(), /onerror/);
  await page.close();
});

test('the question and the answer come first, then the limits, a warning, and notes', async () => {
  const document = documents.comparison({ jobs: 3, strategies: 2 });
  document.notices.push({ level: 'note', text: 'There are no dates.' });
  const page = await opened(document);
  const places = await page.locator('.question, .answer, .basis, .notice.warning, .notice:not(.warning)').evaluateAll((all) => all.map((each) => each.className));
  assert.deepEqual(places, ['question', 'answer', 'basis', 'notice warning', 'notice']);
  await page.close();
});

test('an empty figure says so', async () => {
  const page = await opened(documents.nothing());
  const parts = page.locator('section.part:not(#licences)');
  for (let i = 0; i < await parts.count(); i += 1) assert.equal(await parts.nth(i).locator('.empty').count(), 1);
  assert.match(await page.locator('.answer').textContent(), /no answer/);
  assert.equal(await page.locator('figure[data-spec="not_known"] tbody tr').count(), 1); // its numbers instead
  await page.close();
});

test('data of another version, cut off or missing gives a message', async () => {
  for (const [document, message] of [[{ schema: 'gridcast.report/9' }, /gridcast\.report\/9/], [null, /null/]]) {
    const page = await opened(document);
    assert.match(await page.locator('[role="alert"]').textContent(), message);
    await page.close();
  }
});

test('the page draws the best twenty of a thousand strategies, and finds all', async () => {
  const document = documents.only(documents.comparison({ jobs: 10, strategies: 1000 }), 'finish', 'strategies');
  const page = await opened(document);
  const best = page.locator('figure[data-spec="finish_curve"]');
  assert.equal(await best.locator('.series input').count(), 20);
  assert.equal(await best.locator('.series label').nth(1).textContent(), 'strategy-1'); // the second best
  await best.locator('summary').click();
  await best.locator('input[type="search"]').fill('strategy-987');
  assert.ok(await best.locator('tbody tr').count() > 20); // the points of its curve
  await page.close();
});

test('a report of 100 jobs and 10 strategies is below 1.5 MB', async () => {
  const { stat } = await import('node:fs/promises');
  const { size } = await stat(await browser.write(documents.comparison()));
  assert.ok(size < 1.5e6, `${size} bytes`);
});
