// The page looks as it did, on a phone, a tablet and a screen: its picture, made coarse, beside the one
// in looks.json. Fonts and versions of the browser move it by a little; a chart that is gone, a table
// over the edge or a list on top of another by more than is let pass. GRIDCAST_LOOKS=record writes
// looks.json anew, after somebody has looked at the pictures.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as documents from './documents.mjs';
import { open, start } from './harness.mjs';

const record = path.join(process.env.GRIDCAST_SOURCE, 'tests/page/looks.json');
const recording = process.env.GRIDCAST_LOOKS === 'record';
const columns = 20; // of the coarse picture
const fineness = 4; // rows of the fine picture in one of the coarse
const most = { height: 0.02, mean: 1.2, cells: 0.02, cell: 25 }; // shares, and levels of 0 to 255

let browser;
before(async () => { browser = await start(); });
after(() => browser?.stop());

/** Mean lightness of the cells of the picture, row by row; a cell is as wide as `fineness` cells are high. */
async function cells(page) {
  const png = (await page.screenshot({ fullPage: true })).toString('base64');
  const other = await browser.context.newPage();
  const found = await other.evaluate(async ({ data, wide, fine }) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const [width, height] = [wide, Math.round((fine * wide * image.height) / image.width)];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    const { data: pixels } = context.getImageData(0, 0, width, height);
    return Array.from({ length: width * height }, (_, i) => Math.round((pixels[4 * i] + pixels[4 * i + 1] + pixels[4 * i + 2]) / 3));
  }, { data: png, wide: columns, fine: fineness });
  await other.close();
  return found;
}

/** Mean of the fine cells of a square whose first row is `at`. */
function square(fine, at, column) {
  const last = fine.length / columns - 1;
  const inside = Array.from({ length: fineness }, (_, f) => fine[columns * Math.min(last, Math.max(0, at + f)) + column]);
  return inside.reduce((a, b) => a + b, 0) / fineness;
}

/** The picture of squares, which looks.json holds. */
const coarse = (fine) => Array.from({ length: columns * Math.round(fine.length / columns / fineness) },
  (_, i) => Math.round(square(fine, fineness * Math.floor(i / columns), i % columns)));

/**
 * How much a fine picture differs from a coarse one. Each coarse row meets the fine rows it is most like, in order
 * and nearby: a line of text that wraps on another machine moves all rows below it.
 */
function difference(now, then) {
  const [fineRows, rows] = [now.length / columns, then.length / columns];
  const height = Math.abs(fineRows / fineness / rows - 1);
  const band = fineness * (1 + Math.ceil(most.height * rows));
  const away = (i, at) => Array.from({ length: columns }, (_, k) => Math.abs(then[columns * i + k] - square(now, at, k)));
  let best = Array.from({ length: 2 * band + 1 }, () => ({ sum: 0, far: 0 }));
  for (let i = 0; i < rows; i += 1) {
    best = best.map((_, s) => {
      const before = best.slice(Math.max(0, s - fineness), s + fineness + 1).reduce((a, b) => (b.sum < a.sum ? b : a));
      const here = away(i, fineness * i + s - band);
      return { sum: before.sum + here.reduce((a, b) => a + b, 0), far: before.far + here.filter((each) => each > most.cell).length };
    });
  }
  const end = best.reduce((a, b) => (b.sum < a.sum ? b : a));
  return { height, mean: end.sum / then.length, cells: end.far / then.length };
}

/** How wide letters are here: with other fonts the page looks otherwise, and rightly so. */
const widthOfLetters = (page) => page.evaluate(() => {
  const context = new OffscreenCanvas(10, 10).getContext('2d');
  context.font = getComputedStyle(document.body).font;
  return Math.round(context.measureText('The quick brown fox jumps over the lazy dog 0123456789').width);
});

const packed = (cells) => cells.map((cell) => cell.toString(16).padStart(2, '0')).join('');
const unpacked = (text) => text.match(/../g).map((cell) => Number.parseInt(cell, 16));
const known = recording ? {} : JSON.parse(await readFile(record, 'utf8'));

for (const width of [390, 768, 1440]) {
  test(`the page looks as it did, ${width} pixels wide`, async (t) => {
    const document = documents.only(documents.decided({ jobs: 20, strategies: 4 }), 'verdict', 'finish', 'strategies', 'gantt');
    const { page } = await open(browser.context, await browser.write(document), { size: { width, height: 900 } });
    const now = await cells(page);
    const letters = await widthOfLetters(page);
    await page.close();
    if (recording) {
      Object.assign(known, { letters, [width]: packed(coarse(now)) });
      await writeFile(record, `${JSON.stringify(known, null, 1)}\n`);
      return;
    }
    if (letters !== known.letters) return t.skip('other fonts than those of the record');
    const found = difference(now, unpacked(known[width]));
    assert.ok(found.height <= most.height && found.mean <= most.mean && found.cells <= most.cells, JSON.stringify(found));
  });
}

test('a page that lacks a chart does not look as it did', async () => {
  const { options, ...document } = documents.only(documents.decided({ jobs: 20, strategies: 4 }), 'finish');
  const { page } = await open(browser.context, await browser.write(document), { size: { width: 768, height: 900 } });
  const whole = coarse(await cells(page));
  await page.evaluate(() => document.querySelectorAll('.chart svg').forEach((each) => each.style.setProperty('visibility', 'hidden')));
  const found = difference(await cells(page), whole);
  assert.ok(found.mean > most.mean || found.cells > most.cells, JSON.stringify(found));
  await page.close();
});
