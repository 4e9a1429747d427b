// screenshots.mjs REPORT.html FOLDER: the picture of the README, the first screen of a report.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { open, start } from './harness.mjs';

const [report, folder] = process.argv.slice(2);

const browser = await start();
try {
  const { page } = await open(browser.context, path.resolve(report), { size: { width: 1000, height: 800 }, unfolded: false });
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, 'report-answer.png') });
} finally {
  await browser.stop();
}
