// screenshots.mjs REPORT.html FOLDER: the pictures of the README, each a part of a report.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { open, start } from './harness.mjs';

const [report, folder] = process.argv.slice(2);

const pictures = {
  answer: 'header.head',
  waterfall: '#figure-waterfall-1',
  gantt: '#section-gantt',
};

const browser = await start();
try {
  const { page } = await open(browser.context, path.resolve(report), { size: { width: 1000, height: 900 } });
  await mkdir(folder, { recursive: true });
  for (const [name, part] of Object.entries(pictures)) {
    await page.locator(part).screenshot({ path: path.join(folder, `report-${name}.png`) });
  }
} finally {
  await browser.stop();
}
