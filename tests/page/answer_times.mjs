// answer_times.mjs SCENARIO: how long `gridcast open` lets one wait, in Chromium: from turning the stall
// timeout to the first answer and to the whole one. On docs/performance.md.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';

const [scenario] = process.argv.slice(2);
const server = spawn(process.env.GRIDCAST, ['open', '--no-browser', scenario]);
const address = await new Promise((done) => {
  let reported = '';
  server.stdout.on('data', (text) => {
    reported += text;
    const found = /http:\S+/.exec(reported);
    if (found) done(found[0]);
  });
});
const browser = await chromium.launch({ executablePath: process.env.GRIDCAST_CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  const until = (state) => page.waitForFunction((words) => new RegExp(words).test(document.querySelector('.state')?.textContent ?? ''), state, { polling: 10, timeout: 60000 });
  await page.goto(address);
  await until('^\\d+ campaigns$');
  const timeout = page.getByLabel('Stall timeout', { exact: true });
  for (const hours of ['2', '3', '4', '5', '6']) {
    const start = performance.now();
    const after = () => ((performance.now() - start) / 1000).toFixed(2);
    await timeout.fill(hours);
    await until('^\\d+ of \\d+ campaigns$');
    const first = after();
    await until('^\\d+ campaigns$');
    console.log(`stall timeout ${hours} h: first answer after ${first} s, ${await page.locator('.state').textContent()} after ${after()} s`);
  }
} finally {
  await browser.close();
  server.kill('SIGINT');
}
