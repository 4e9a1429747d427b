// The page for every reader: dark, on a phone, on paper, by keyboard, with a screen reader; and how
// quick the Gantt chart of 10,000 bars is.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as documents from './documents.mjs';
import { open, start } from './harness.mjs';

let browser;
before(async () => { browser = await start(); });
after(() => browser?.stop());

const opened = async (document, options) => (await open(browser.context, await browser.write(document), options)).page;
const paper = (page) => page.evaluate(() => getComputedStyle(document.querySelector('.part')).backgroundColor);
const lightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0) / 3;

test('dark by the system or by choice', async () => {
  const page = await opened(documents.only(documents.comparison(), 'gantt'), { theme: 'dark' });
  assert.ok(lightness(await paper(page)) < 60);
  await page.locator('#theme').click();
  assert.ok(lightness(await paper(page)) > 200);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('#theme').click();
  assert.ok(lightness(await paper(page)) < 60);
  const corner = await page.evaluate(() => [...document.querySelector('canvas').getContext('2d').getImageData(2, 2, 1, 1).data]);
  assert.ok(lightness(corner.join(' ')) < 60, `the canvas is dark too: ${corner}`);
  await page.close();
});

const pagesOf = (pdf) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length;

test('two pages are printed: question, answer, figure, options, evidence, limits, citation', async () => {
  const { page } = await open(browser.context, await browser.write(documents.decided({ strategies: 12 })), { unfolded: false });
  for (const format of ['A4', 'Letter']) assert.ok(pagesOf(await page.pdf({ format })) <= 2, format);
  await page.emulateMedia({ media: 'print' });
  for (const part of ['.question', '.answer .first', '.answer .recommendation', '.answer .deadline', 'figure[data-spec="trade_off"] svg', '#table-options', '.basis', '.cite']) assert.ok(await page.locator(part).first().isVisible(), part);
  for (const part of ['.part', '.files', 'input[type="checkbox"]', 'button']) assert.equal(await page.locator(`${part}:visible`).count(), 0, part);
  await page.close();
});

test('with the appendix it prints all, light even from a dark screen', async () => {
  const page = await opened(documents.comparison({ strategies: 4 }), { theme: 'dark' });
  await page.evaluate(() => { document.documentElement.dataset.print = 'all'; });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.ok(lightness(await paper(page)) > 200);
  assert.equal(await page.locator('.toolbar').first().isVisible(), false);
  const room = await page.locator('.chart').evaluateAll((all) => Math.max(...all.map((each) => each.clientHeight - each.querySelector('svg').getBoundingClientRect().height)));
  assert.ok(room < 20, `${room} pixels below a chart are empty`);
  const pdf = await page.pdf({ format: 'A4' });
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  assert.equal(await page.locator('input[type="checkbox"]:visible').count(), 0, 'boxes to tick on paper');
  assert.ok(await page.locator('.series label:visible').count() > 0, 'a legend is left of them');
  const pages = pagesOf(pdf);
  assert.ok(pages >= 4 && pages <= 20, `${pages} pages`);
  await page.close();
});

test('on paper all is drawn, and light, though nothing was opened on a dark screen', async () => {
  const document = documents.comparison({ strategies: 3, jobs: 12 });
  const { page } = await open(browser.context, await browser.write(document), { theme: 'dark', unfolded: false });
  await page.waitForSelector('html[data-drawn="all"]', { timeout: 30000 }); // by itself
  const corner = () => page.evaluate(() => [...document.querySelector('canvas').getContext('2d').getImageData(2, 2, 1, 1).data].join(' '));
  const folded = await page.locator('.fold:not([open])').count();
  assert.ok(folded > 4);
  await page.evaluate(() => { document.documentElement.dataset.print = 'all'; });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.ok(lightness(await corner()) > 200, 'the Gantt chart');
  const empty = await page.locator('.chart').evaluateAll((all) => all.filter((each) => !(each.querySelector('svg')?.getBoundingClientRect().width > 100)).map((each) => each.getAttribute('aria-label')));
  assert.deepEqual(empty, []);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.ok(lightness(await corner()) < 60);
  await page.close();
});

test('printed at once after it was opened, all is drawn', async () => {
  const page = await browser.context.newPage();
  await page.addInitScript(() => addEventListener('DOMContentLoaded', () => { document.documentElement.dataset.print = 'all'; }));
  await page.addInitScript(() => addEventListener('afterprint', () => {
    window.printed = { charts: document.querySelectorAll('.chart').length, drawn: document.querySelectorAll('.chart svg').length, painted: Boolean(document.querySelector('canvas').dataset.painted) };
  }));
  await page.goto(pathToFileURL(await browser.write(documents.comparison({ strategies: 4 }))).href, { waitUntil: 'domcontentloaded' });
  await page.pdf({ format: 'A4' });
  const { charts, drawn, painted } = await page.evaluate(() => window.printed);
  assert.ok(charts > 5);
  assert.equal(drawn, charts);
  assert.ok(painted);
  await page.close();
});

for (const [width, height, figured] of [[1440, 900, true], [390, 844, false]]) {
  test(`the first screen answers, ${width} pixels wide`, async () => {
    const { page, complaints } = await open(browser.context, await browser.write(documents.decided()), { size: { width, height }, unfolded: false });
    assert.match(await page.locator('.answer .recommendation').innerText(), /strategy-1/);
    const bottom = (what) => what.evaluate((each) => each.getBoundingClientRect().bottom);
    const figure = page.locator('.answer figure');
    assert.ok(await bottom(page.locator('.answer .first')) < height);
    if (figured) assert.ok(await bottom(figure.locator('.chart svg')) < height, 'the figure');
    assert.match(await figure.locator('.chart').textContent(), /recommended.*baseline|baseline.*recommended/s);
    assert.ok(await bottom(page.locator('.answer .deadline')) < height, 'the deadline');
    assert.match(await figure.locator('.says').textContent(), /rows/);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

for (const width of [360, 768]) {
  test(`nothing is wider than a screen of ${width} pixels`, async () => {
    const page = await opened(documents.comparison(), { size: { width, height: 800 } });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.close();
  });
}

test('the target of an address stands below the contents, also if it is a figure', async () => {
  const file = await browser.write(documents.comparison({ jobs: 12, strategies: 3 }));
  for (const id of ['section-sites', 'figure-paired-differences']) {
    const page = await browser.context.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${pathToFileURL(file).href}#${id}`);
    await page.waitForSelector('html[data-drawn="all"]', { timeout: 30000 });
    const [top, contents] = await page.evaluate((named) => [document.getElementById(named).getBoundingClientRect().top, document.querySelector('.contents').getBoundingClientRect().bottom], id);
    assert.ok(top >= contents && top < 300, `${id} at ${top}, the contents end at ${contents}`);
    await page.close();
  }
});

test('a table wider than a phone moves below its first column; a number and its unit are not parted', async () => {
  const document = documents.only(documents.comparison({ jobs: 12 }), 'sites');
  const { table } = document.sections.find((each) => each.table);
  table.rows.forEach((row) => { row[4] = 'given up after 12 h of 15 h, at the eighth of the ten attempts that it had'; });
  const page = await opened(document, { size: { width: 390, height: 844 } });
  const places = await page.locator('#table-jobs .table-scroll').evaluate((box) => {
    const [first, second] = [...box.querySelector('tbody tr').cells].map((cell) => () => cell.getBoundingClientRect().left - box.getBoundingClientRect().left);
    const before = [first(), second()];
    box.scrollLeft = 80;
    return { wide: box.scrollWidth > box.clientWidth + 80, first: first() - before[0], second: second() - before[1] };
  });
  assert.deepEqual(places, { wide: true, first: 0, second: -80 });
  const parted = await page.locator('#table-jobs td.text').evaluateAll((all) => all.flatMap((each) => [...each.querySelectorAll('.together')]).filter((each) => each.getClientRects().length > 1).length);
  assert.equal(parted, 0);
  assert.equal(await page.locator('#table-jobs tbody tr').first().locator('.together').count(), 2);
  await page.close();
});

test('all that can be pressed is reached by the keyboard and has a name', async () => {
  const page = await opened(documents.lesson());
  const reached = new Set();
  for (let i = 0; i < 80; i += 1) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => {
      const now = document.activeElement;
      return now.dataset.mark ??= String(Math.random());
    }));
  }
  const missed = await page.evaluate((seen) => [...document.querySelectorAll('button:not(:disabled), a[href], input, select, canvas, summary')]
    .filter((each) => each.checkVisibility() && !seen.includes(each.dataset.mark)).map((each) => each.outerHTML.slice(0, 120)), [...reached]);
  assert.deepEqual(missed, []);
  await page.close();
});

const cases = { comparison: () => documents.decided({ jobs: 30, strategies: 5 }), lesson: documents.lesson, nothing: documents.nothing, 'odd names': documents.oddNames };
for (const [name, make] of Object.entries(cases)) {
  test(`axe finds no serious violation, light or dark: ${name}`, async () => {
    const page = await opened(make());
    await page.locator('summary').evaluateAll((all) => all.slice(0, 6).forEach((each) => each.click()));
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(axe); // by the debugger, which the page's policy does not bind
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme });
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter((each) => ['serious', 'critical'].includes(each.impact) || each.id.startsWith('landmark'));
      assert.deepEqual(serious.map((each) => `${each.id}: ${each.nodes.length} x ${each.nodes[0].html.slice(0, 200)}`), [], theme);
    }
    await page.close();
  });
}

test('a Gantt chart of 10,000 bars pans', async () => {
  const document = documents.only(documents.comparison({ jobs: 4000, bars: 10000 }), 'gantt');
  const { bars } = document.sections.find((each) => each.gantt).gantt;
  assert.equal(bars.length, 10000);
  const page = await opened(document);
  const frames = await page.evaluate(async () => {
    const canvas = document.querySelector('canvas');
    canvas.focus();
    const times = [];
    for (let i = 0; i < 40; i += 1) {
      const before = performance.now();
      const key = i === 0 ? '+' : i % 2 ? 'ArrowRight' : 'ArrowLeft';
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: i > 0, bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - before);
    }
    return times.sort((a, b) => a - b);
  });
  const at = (p) => frames[Math.min(frames.length - 1, Math.floor(p * frames.length))].toFixed(1);
  console.log(`10,000 bars: a frame of panning takes ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (most)`);
  await page.close();
});
