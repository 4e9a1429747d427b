// screenshots.mjs REPORT.html FOLDER: the pictures of the README, each a part of a report.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { open, start } from './harness.mjs';

const [report, folder] = process.argv.slice(2);

/** Of the page with all sections opened; the answer is taken as it is opened. */
const pictures = {
  waterfall: '#figure-waterfall-1',
  gantt: '#section-gantt',
};

const browser = await start();
try {
  const { page } = await open(browser.context, path.resolve(report), { size: { width: 1000, height: 900 }, unfolded: false });
  await mkdir(folder, { recursive: true });
  const take = (name, part) => page.locator(part).screenshot({ path: path.join(folder, `report-${name}.png`) });
  await take('answer', 'header.head');
  await page.locator('#unfold').click();
  await page.waitForSelector('html[data-drawn="all"]');
  for (const [name, part] of Object.entries(pictures)) await take(name, part);
} finally {
  await browser.stop();
}
