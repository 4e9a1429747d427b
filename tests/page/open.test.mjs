// The page of gridcast open, as its reader uses it: something is turned, and the answer moves; a
// lesson is played; at the width of a desk and of a phone.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { start } from './harness.mjs';

const source = process.env.GRIDCAST_SOURCE;
const gridcast = async (...words) => (await promisify(execFile)(process.env.GRIDCAST, words, { cwd: source, maxBuffer: 1e8 })).stdout;
let scenario; // the published campaign with few replicas, named on the command line and so opened
let browser;
let server;
let address;

before(async () => {
  browser = await start();
  scenario = path.join(browser.folder, 'few.yaml');
  const published = await readFile(path.join(source, 'scenarios/osg-imagenet.yaml'), 'utf8');
  await writeFile(scenario, published.replace('replicas: 1000', 'replicas: 60')
    .replace('pool: pools', `pool: ${source}/scenarios/pools`).replace('calibration: ../', `calibration: ${source}/`));
  server = spawn(process.env.GRIDCAST, ['open', scenario, '--no-browser', '--port', '0'], { cwd: source, stdio: ['ignore', 'pipe', 'ignore'] });
  const [bytes] = await once(server.stdout, 'data');
  address = String(bytes).trim();
});
after(async () => {
  server?.kill('SIGINT');
  await browser?.stop();
});

/** The page, and whatever complained. */
async function opened(size = { width: 1440, height: 900 }) {
  const page = await browser.context.newPage();
  const complaints = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.setViewportSize(size);
  await page.goto(address);
  return { page, complaints };
}

const whole = (page) => page.waitForSelector('html[data-answered="whole"]', { timeout: 120000 });

async function serious(page) {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter((each) => ['serious', 'critical'].includes(each.impact) || each.id.startsWith('landmark')).map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 200)}`);
}

test('an answer is there at once, and grows until it is whole', async () => {
  const { page, complaints } = await opened();
  await page.waitForSelector('.grown');
  await whole(page);
  assert.match(await page.locator('.grown .first').textContent(), /^\d+ of 100 jobs finish \(.*, (90 of them in|but never the wanted 90).* GPU hours/);
  assert.match(await page.locator('.state').first().textContent(), /^60 campaigns/);
  assert.deepEqual(await serious(page), []);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a knob that is turned moves the answer, the last one stays, and the command gives the same', async () => {
  const { page, complaints } = await opened();
  await whole(page);
  const control = page.locator('[data-path="strategies.published.transfer.stall_timeout"]');
  await control.locator('input').fill('2');
  await control.locator('select').selectOption('h');
  assert.equal(await control.evaluate((each) => each.classList.contains('turned')), true);
  await page.waitForSelector('html[data-answered="growing"]');
  await whole(page);
  const figures = await page.locator('.figures-now').textContent();
  assert.match(figures, /the last answer: .*less in [\d.]+\s%/s);
  assert.doesNotMatch(figures, /-\d/, 'one minus sign');
  const [yaml, command] = await page.locator('.copyable pre').allTextContents();
  assert.match(yaml, /strategies:\n {2}published:\n {4}transfer:\n {6}stall_timeout: 2 h/);
  assert.equal(command, `gridcast forecast ${scenario} --strategy published --set 'strategies.published.transfer.stall_timeout=2 h' -n 60 --seed 1 --json`);
  await control.getByRole('button').press('Enter'); // not by its place, which may move
  await page.waitForFunction((each) => each.value === '1', await control.locator('input').elementHandle()); // h
  assert.deepEqual(complaints, []);
  await page.close();
});

test('an impossible value is reported, and the page continues', async () => {
  const { page } = await opened();
  await whole(page);
  const control = page.locator('[data-path="strategies.published.retry.on_transfer_failure"]');
  await control.locator('select').selectOption('cool_down');
  await page.waitForSelector('html[data-answered="problem"]');
  assert.match(await control.locator('.field-problem').textContent(), /cool_down has no delay/);
  assert.equal(await control.locator('select').getAttribute('aria-describedby'), await control.locator('.field-problem').getAttribute('id'));
  assert.equal(await page.locator('.grown .first').isVisible(), true, 'the answer before stays');
  await control.locator('select').selectOption('requeue');
  await whole(page);
  await page.close();
});

test('a lesson takes a guess first, then the run, a wrong answer with its hint, and the right one', async () => {
  const { page, complaints } = await opened({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Lessons' }).click();
  await page.getByRole('button', { name: /^1\. / }).click();
  const run = page.getByRole('button', { name: 'Run it' });
  assert.equal(await run.isDisabled(), true);
  await page.locator('#guess').fill('3');
  await run.click();
  await page.locator('.verdict.wrong').first().waitFor();
  assert.match(await page.locator('.verdict.wrong').first().textContent(), /'3' is no answer/);
  await page.locator('#guess').fill('3 h');
  await run.click();
  await page.locator('.verdict:not(.wrong)').first().waitFor();
  assert.match(await page.locator('.verdict:not(.wrong)').first().textContent(), /makespan = 6 h 6 min. You guessed 3 h. That is with all ten GPUs/);
  assert.equal(await page.getByLabel('GPU memory that a job requests').getAttribute('placeholder'), '16 GB in the lesson');
  await page.locator('#answer').fill('6 h');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('.verdict.wrong', { hasText: 'Not right' }).waitFor();
  await page.locator('#answer').fill('4 h');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: /^Next: lesson 2/ }).waitFor();
  assert.match(await page.locator('.first-guess').textContent(), /^A plausible first guess is 3 h. It leaves out /);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
  assert.deepEqual(await serious(page), []);
  await page.reload();
  await page.getByRole('tab', { name: 'Lessons' }).click();
  assert.match(await page.locator('.lessons li').first().textContent(), /done/);
  assert.deepEqual(complaints, []);
  await page.close();
});

/** What the program says of a lesson, and the run whose figure is the answer. */
async function solved(number) {
  const solution = JSON.parse(await gridcast('lesson', 'solution', String(number), '--json'));
  const run = solution.runs.find((each) => each.answer === solution.answer) ?? solution.runs[0];
  const words = run.command.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ''));
  const after = (option) => words.flatMap((word, i) => (words[i - 1] === option ? [word] : []));
  return { ...solution, strategy: after('--strategy')[0], set: after('--set').map((each) => each.split(/=(.*)/s).slice(0, 2)) };
}

test('a class: every lesson from first to last, with the first guess that is wrong, and the teacher looks', async () => {
  const { lessons } = JSON.parse(await gridcast('lesson', 'list', '--json'));
  const { page, complaints } = await opened();
  await page.getByRole('tab', { name: 'Lessons' }).click();
  await page.getByRole('button', { name: /^1\. / }).click();
  for (const { lesson, choices, strategies, knobs } of lessons) {
    const { expected, first_guess: guess, strategy, set } = await solved(lesson);
    await page.getByRole('heading', { name: new RegExp(`^Lesson ${lesson}: `) }).waitFor();
    const give = (field, answer) => (choices.length ? page.locator(field).selectOption(answer) : page.locator(field).fill(answer));
    await give('#guess', guess.answer);
    if (strategy && strategies.length > 1) await page.locator('#lesson-strategy').selectOption(strategy);
    for (const [knob, value] of set) await page.getByLabel(knobs.find(({ path }) => path === knob).words, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Run it' }).click();
    const ran = page.locator('.verdict', { hasText: 'You guessed' });
    await ran.waitFor();
    await give('#answer', guess.answer);
    await page.getByRole('button', { name: 'Check' }).click();
    const reported = page.locator('.verdict.wrong', { hasText: /^Not right/ });
    await reported.waitFor();
    const hint = (await reported.textContent()).replace('Not right. ', '');
    assert.ok((await ran.textContent()).endsWith(`You guessed ${guess.answer}. ${hint}`), `lesson ${lesson}: what the guess leaves out`);
    await give('#answer', expected);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.locator('.first-guess', { hasText: guess.says }).waitFor();
    if (lesson < lessons.length) await page.getByRole('button', { name: /^Next: / }).click();
  }
  await page.getByText('That was the last lesson.').waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'Lessons' }).click();
  await page.locator('.lessons li').first().waitFor();
  assert.equal(await page.locator('.lessons li', { hasText: ' done' }).count(), lessons.length);
  await page.getByRole('checkbox', { name: /Teacher/ }).check();
  await page.getByRole('button', { name: /^4\. / }).click();
  await page.getByText('Solution', { exact: true }).click();
  await page.locator('details', { hasText: 'Answer: 100 s' }).waitFor();
  assert.match(await page.locator('details').textContent(), /gridcast lesson run 4 --set.*A plausible first guess is 30 s/s);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a lesson by the keyboard: Enter sends, the next one begins at its top, and the address names it', async () => {
  const { page, complaints } = await opened({ width: 390, height: 844 });
  await page.goto(`${address}#lesson-1`);
  await page.locator('#guess').fill('3 h');
  await page.getByLabel('GPU memory that a job requests').fill('8 GB');
  await page.keyboard.press('Enter');
  await page.locator('.runs td').first().waitFor();
  assert.deepEqual(await page.locator('.runs tbody tr').first().locator('th, td').allTextContents(), ['GPU memory that a job requests: 8 GB', '4 h 4 min']);
  assert.match(await page.locator('.runs thead').textContent(), /makespan makespan_s/);
  await page.locator('#answer').fill('4 h');
  await page.keyboard.press('Enter');
  const next = page.getByRole('button', { name: /^Next: lesson 2/ });
  await next.waitFor();
  await next.press('Enter');
  await page.getByRole('heading', { name: /^Lesson 2: / }).waitFor();
  await page.waitForFunction(() => document.activeElement.tagName === 'H1' && scrollY === 0);
  assert.equal(await page.title(), 'gridcast: lesson 2');
  await page.reload();
  await page.getByRole('heading', { name: /^Lesson 2: / }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: /^Lesson 1: / }).waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a run has its figures by site and its page; the conclusion of a lesson is shown after the right answer', async () => {
  const { lessons } = JSON.parse(await gridcast('lesson', 'list', '--json'));
  const { page, complaints } = await opened();
  await page.evaluate(() => localStorage.clear()); // nothing has been learnt
  await page.goto(`${address}#lesson-14`);
  await page.locator('#guess').fill('384');
  assert.equal(await page.locator('.lesson').getByText(lessons[13].goal).count(), 0);
  await page.getByRole('button', { name: 'Run it' }).press('Enter');
  await page.getByText('All figures of this run').press('Enter');
  const succeeded = page.getByRole('row', { name: /^succeeded / });
  assert.deepEqual(await succeeded.getByRole('cell').allTextContents(), ['96', '48', '48', '0']);
  await page.getByRole('button', { name: 'This run, drawn' }).press('Enter');
  await page.locator('iframe').contentFrame().locator('.worst button').first().waitFor();
  await page.locator('#answer').fill('96');
  await page.locator('#answer').press('Enter');
  await page.locator('.lesson').getByText(lessons[13].goal).waitFor();
  await page.getByRole('button', { name: 'All lessons' }).press('Enter');
  await page.locator('.lessons li').first().waitFor();
  assert.equal(await page.getByText(lessons[13].goal).count(), 1);
  assert.equal(await page.getByText(lessons[16].goal).count(), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a lesson that is named while the page comes is shown once, so that a guess stays', async () => {
  const page = await browser.context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  // The address is changed by the task that has the page's first answer, before it learns of the change.
  await page.addInitScript(() => {
    const json = Response.prototype.json;
    Response.prototype.json = async function named() {
      const answer = await json.call(this);
      if (this.url.endsWith('/start')) location.hash = 'lesson-14';
      return answer;
    };
  });
  const asked = [];
  await page.route('**/lessons', async (route) => {
    asked.push(route);
    if (asked.length === 1) await new Promise((resolve) => { setTimeout(resolve, 500); });
    await route.continue();
  });
  await page.goto(address);
  await page.locator('#guess').fill('384');
  await page.waitForTimeout(1000);
  assert.equal(await page.locator('#guess').inputValue(), '384');
  assert.equal(asked.length, 1);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('lessons that do not arrive are reported and requested again', async () => {
  const page = await browser.context.newPage();
  await page.route('**/lessons', (route) => route.fulfill({ status: 503, body: 'The server is busy.' }));
  await page.goto(`${address}#lessons`);
  await page.getByText('The server is busy.').waitFor();
  await page.unroute('**/lessons');
  await page.getByRole('tab', { name: 'Lessons' }).click();
  await page.locator('.lessons li').first().waitFor();
  await page.close();
});

test('who leaves the lessons before they have come has the title of where he went', async () => {
  const page = await browser.context.newPage();
  let come;
  const late = new Promise((resolve) => { come = resolve; });
  await page.route('**/lessons', async (route) => { await late; await route.continue(); });
  await page.goto(`${address}#lesson-3`);
  await page.getByRole('tab', { name: 'Lessons' }).press('ArrowLeft'); // to Compare
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.locator('.answers').waitFor();
  const listThere = page.waitForResponse('**/lessons');
  come();
  await listThere;
  await page.waitForTimeout(300);
  assert.equal(await page.title(), 'gridcast: what if');
  await page.close();
});

test('another scenario is shown where the address names nothing', async () => {
  const { page, complaints } = await opened();
  await whole(page);
  await page.goto(`${address}#nothing`);
  const other = (await page.locator('#scenario option').allTextContents())[1];
  const came = page.waitForResponse((response) => response.url().includes('scenario?') && response.url().includes(encodeURIComponent(other)));
  await page.locator('#scenario').selectOption(other);
  assert.equal((await came).ok(), true);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a reader who goes on at once is not asked about the last page', async () => {
  for (const view of ['whatif', 'compare']) {
    const page = await browser.context.newPage();
    const asked = [];
    page.on('request', (request) => { if (request.url().endsWith('/ask')) asked.push(request.url()); });
    let come;
    const late = new Promise((resolve) => { come = resolve; });
    await page.route('**/scenario?*', async (route) => { await late; await route.continue(); });
    await page.goto(`${address}#${view}`);
    await page.getByRole('tab', { name: 'Lessons' }).click();
    await page.locator('.lessons li').first().waitFor();
    const scenarioThere = page.waitForResponse('**/scenario?*');
    come();
    await scenarioThere;
    await page.waitForTimeout(500); // more than the moment before a question is asked
    assert.deepEqual(asked, [], view);
    await page.close();
  }
});

test('on a phone the effect of a control is visible beside it, and the figures fit', async () => {
  const { page } = await opened({ width: 390, height: 844 });
  await whole(page);
  const control = page.locator('[data-path="strategies.published.transfer.stall_timeout"]');
  await control.locator('input').focus();
  await control.locator('input').fill('2');
  await page.waitForSelector('html[data-answered="growing"]');
  await whole(page);
  const strip = page.locator('.strip');
  assert.match(await strip.textContent(), /^Medians: .* of 100 jobs finish.*; time .* against the last answer$/);
  const [seen, knob] = [await strip.boundingBox(), await control.locator('input').boundingBox()];
  assert.ok(knob.y >= 0 && knob.y + knob.height <= seen.y && seen.y + seen.height <= 844, JSON.stringify([seen, knob]));
  const cut = await page.locator('.plot').evaluate((plot) => [...plot.querySelectorAll('text')].filter((each) => each.getBoundingClientRect().left < plot.getBoundingClientRect().left || each.getBoundingClientRect().right > plot.getBoundingClientRect().right).map((each) => each.textContent));
  assert.deepEqual(cut, []);
  const wide = await page.locator('.table-scroll').evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
  assert.equal(wide, 0);
  await page.close();
});

test('on paper there is the answer, and nothing to press', async () => {
  const { page } = await opened();
  await whole(page);
  await page.emulateMedia({ media: 'print' });
  const pressed = await page.locator('button, input, select, iframe').evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.outerHTML));
  assert.deepEqual(pressed, []);
  assert.equal(await page.locator('.grown .first').isVisible(), true);
  const pdf = await page.pdf({ format: 'A4' });
  assert.ok(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length <= 3);
  await page.close();
});

test('all strategies are compared in turn, with the words of gridcast compare', async () => {
  const page = await browser.context.newPage();
  const asked = [];
  page.on('request', (request) => { if (request.url().endsWith('/ask')) asked.push(request.postDataJSON()); });
  await page.goto(`${address}#compare`);
  await page.waitForSelector('html[data-compared="all"]', { timeout: 120000 });
  assert.deepEqual(asked.map(({ compare, replicas }) => [compare, replicas]), [[true, 60]]);
  assert.equal(await page.locator('.state').textContent(), '60 campaigns of each');
  const names = await page.locator('#first option').allTextContents();
  assert.equal(await page.locator('.strategies-now tbody tr').count(), names.length);
  const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
  const terminal = oneLine(await gridcast('compare', scenario, '--quiet'));
  const verdict = oneLine(await page.locator('.verdict-box .first').textContent());
  assert.ok(terminal.startsWith(verdict), `${verdict} | ${terminal}`);
  const native = page.locator('tr', { hasText: 'htcondor-native' });
  assert.match(await native.textContent(), /never/, 'no job runs there, which is not fast');
  await page.close();
});

test('the settings stand in the address: a reload and a link show them, and Compare has them too', async () => {
  const { page, complaints } = await opened();
  await whole(page);
  const control = (of) => of.locator('[data-path="campaign.work.epochs"]');
  await control(page).locator('input').fill('7');
  await page.waitForFunction(() => location.hash.includes('set=campaign.work.epochs=7'));
  await page.waitForSelector('html[data-answered="growing"]');
  await whole(page);
  await page.locator('#pin-name').fill('seven epochs');
  await page.getByRole('button', { name: 'Pin this answer' }).click();
  const first = await page.locator('.grown .first').textContent();
  await control(page).getByRole('button').press('Enter');
  await page.waitForSelector('html[data-answered="growing"]');
  await whole(page);
  await page.locator('#against').selectOption('seven epochs');
  assert.match(await page.locator('.figures-now').first().textContent(), /seven epochs: /);
  await page.reload();
  await whole(page);
  assert.equal(await page.locator('#against').inputValue(), 'seven epochs');
  assert.match(await page.locator('.figures-now').first().textContent(), /seven epochs: /);
  await page.getByRole('button', { name: 'seven epochs', exact: true }).click();
  await page.waitForFunction((text) => document.querySelector('.grown .first')?.textContent === text, first, { timeout: 120000 });
  assert.equal(await control(page).locator('input').inputValue(), '7');
  const link = page.url();
  const other = await browser.context.newPage();
  await other.goto(link);
  await whole(other);
  assert.equal(await control(other).locator('input').inputValue(), '7');
  assert.equal(await other.locator('.grown .first').textContent(), first);
  await other.getByRole('tab', { name: 'Compare' }).click();
  await other.getByText('campaign.work.epochs=7').first().waitFor();
  await other.locator('#metric').selectOption({ index: 1 });
  await other.locator('#second').selectOption('upgrade');
  await other.locator('#replica').fill('5');
  await other.locator('#replica').press('Tab');
  const choices = () => Promise.all(['metric', 'first', 'second', 'replica'].map((each) => other.locator(`#${each}`).inputValue()));
  const before = await choices();
  await other.reload();
  await other.locator('#second').waitFor();
  assert.deepEqual(await choices(), before);
  await other.locator('#scenario').selectOption({ index: 1 });
  await other.waitForFunction(() => document.querySelector('#second')?.value === '(none)' && !location.hash.includes('epochs=7'));
  await other.goBack();
  await other.getByText('campaign.work.epochs=7').first().waitFor();
  assert.deepEqual(await choices(), before, 'Back shows the scenario before');
  assert.deepEqual(complaints, []);
  await other.close();
  await page.close();
});

test('six controls come first, and one without effect gives its reason', async () => {
  const { page } = await opened();
  await whole(page);
  assert.equal(await page.locator('.controls > .control').count(), 6);
  assert.equal(await page.locator('.controls details').evaluate((each) => each.open), false);
  await page.locator('.controls summary').click();
  const delay = page.locator('[data-path="strategies.published.retry.times"]');
  assert.equal(await delay.locator('input').isDisabled(), true);
  assert.match(await delay.locator('.no-effect').textContent(), /No effect now: no job cools down/);
  const slots = page.locator('[data-path^="pool.sites."]').first();
  assert.match(await slots.locator('.hint').textContent(), /the calibration samples \d+ to \d+/);
  await page.locator('[data-path="strategies.published.retry.on_transfer_failure"] select').selectOption('cool_down');
  await page.waitForSelector('html[data-answered="problem"]'); // it needs a delay, which can be given then
  await page.locator('[data-path="strategies.published.retry.delay"] input').fill('5 min..10 min');
  await page.waitForFunction(() => !document.querySelector('[data-path="strategies.published.retry.times"] input').disabled);
  await page.close();
});

test('the lessons of a class without a server: guesses, prepared runs, sealed answers', async () => {
  const folder = path.join(browser.folder, 'class');
  const { lessons } = JSON.parse(await gridcast('lesson', 'list', '--json'));
  await gridcast('lesson', 'static', folder);
  const file = path.join(folder, 'index.html');
  const text = await readFile(file, 'utf8');
  for (const { goal, lesson } of lessons) assert.equal(text.includes(goal), false, `the goal of lesson ${lesson} is sealed`);
  const page = await browser.context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) complaints.push(request.url()); });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(pathToFileURL(file).href);
  await page.evaluate(() => localStorage.clear());
  await page.getByRole('button', { name: /^1\. / }).click();
  for (const { lesson, choices } of lessons) {
    const { expected, why, first_guess: guess, wrong_answers: wrong } = JSON.parse(await gridcast('lesson', 'solution', String(lesson), '--json'));
    await page.getByRole('heading', { name: new RegExp(`^Lesson ${lesson}: `) }).waitFor();
    const give = (field, answer) => (choices.length ? page.locator(field).selectOption(answer) : page.locator(field).fill(answer));
    await give('#guess', guess.answer);
    if (lesson === 4) assert.deepEqual(await page.locator('#prepared option').allTextContents(), ['as in the lesson', 'Jobs: 9', 'Jobs: 10', 'Jobs: 12', 'Jobs: 16', 'Jobs: 24']);
    await page.getByRole('button', { name: 'Run it' }).click();
    const ran = page.locator('.verdict', { hasText: 'You guessed' });
    await ran.waitFor();
    for (const answer of wrong) {
      await give('#answer', answer);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.locator('.verdict.wrong', { hasText: /^Not right/ }).waitFor();
    }
    await give('#answer', guess.answer);
    await page.getByRole('button', { name: 'Check' }).click();
    const hint = (await page.locator('.verdict.wrong', { hasText: /^Not right/ }).textContent()).replace('Not right. ', '');
    assert.ok((await ran.textContent()).endsWith(hint), `lesson ${lesson}: the flaw of the guess`);
    await give('#answer', expected);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.locator('.first-guess', { hasText: guess.says }).waitFor();
    assert.ok((await page.locator('.verdict:not(.wrong)', { hasText: /^Right/ }).textContent()).includes(why.slice(0, 40)));
    if (lesson < lessons.length) await page.getByRole('button', { name: /^Next: / }).click();
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
  assert.deepEqual(await serious(page), []);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('two strategies with the same random numbers, one below the other: the job chosen in one is shown by the other', async () => {
  const { page, complaints } = await opened();
  await page.getByRole('tab', { name: /Compare/ }).click();
  await page.locator('#second').selectOption('upgrade');
  await page.getByRole('button', { name: 'Show' }).click();
  const [above, below] = [0, 1].map((i) => page.locator('iframe').nth(i).contentFrame());
  for (const each of [above, below]) await each.locator('.worst button').first().waitFor({ timeout: 120000 });
  await above.locator('.worst button').first().press('Enter'); // not by its place, which may move
  const job = /^job (\S+)/.exec(await above.locator('.said').textContent())[1];
  await below.locator('.said', { hasText: `job ${job} ` }).waitFor();
  const times = async (of) => (await of.locator('canvas').first().getAttribute('data-window')).split(' ').slice(0, 2).join(' ');
  for (let i = 0; i < 50 && await times(above) !== await times(below); i += 1) await page.waitForTimeout(100); // messages come later
  assert.equal(await times(above), await times(below), 'one axis');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a tab that is clicked while an answer arrives is not lost', async () => {
  const { page, complaints } = await opened();
  await page.locator('.controls').waitFor();
  // An answer writes the settings of the view that is shown into the address, so the click itself has to change it.
  const selected = await page.evaluate(() => {
    const tab = document.getElementById('tab-compare');
    tab.click();
    return tab.ariaSelected;
  });
  assert.equal(selected, 'true');
  await page.locator('#second').waitFor();
  await page.goBack();
  await page.locator('.controls').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the keyboard reaches all that can be turned', async () => {
  const { page } = await opened();
  await whole(page);
  const wanted = await page.evaluate(() => [...document.querySelectorAll('.controls input, .controls select, [role="tab"]')].filter((each) => each.checkVisibility() && !each.disabled && each.tabIndex < 0).map((each) => each.id));
  assert.deepEqual(wanted, []);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('.controls input, .controls select')].filter((each) => !each.labels?.length && !each.getAttribute('aria-label')).map((each) => each.outerHTML));
  assert.deepEqual(unnamed, []);
  await page.close();
});

/** A log of ten jobs: four are over, two are held, the others run. */
function runningLog() {
  const event = (code, job, minute, text) => `${code} (0001.${String(job).padStart(3, '0')}.000) 2026-11-27 10:${String(minute).padStart(2, '0')}:00 ${text}\n...\n`;
  const jobs = [...Array(10).keys()];
  return [
    ...jobs.map((job) => event('000', job, 0, 'Job submitted from host: <10.0.0.1:9618>')),
    ...jobs.map((job) => event('001', job, 1, 'Job executing on host: <10.0.0.2:9618>\n\tSlotName: slot1@node7')),
    ...[0, 1].map((job) => event('012', job, 20, 'Job was held.\n\tby owner\n\tCode 1 Subcode 0')),
    ...[2, 3, 4, 5].map((job) => event('005', job, 31, 'Job terminated.\n\t(1) Normal termination (return value 0)')),
  ].join('');
}

test('a running campaign shows its past, its rest and the effect of changes from now on', async () => {
  const log = path.join(browser.folder, 'my.log');
  await writeFile(log, runningLog());
  const own = spawn(process.env.GRIDCAST, ['open', log, '--no-browser', '--port', '0'], { cwd: source, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [bytes] = await once(own.stdout, 'data');
    const page = await browser.context.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(String(bytes).trim());
    await whole(page);
    assert.match(await page.locator('.jobs-now').textContent(), /4 of 10 jobs over, 4 with success; 4 in slots; 2 held/);
    assert.match(await page.locator('.effects').textContent(), /release 2 held jobs/);
    await page.locator('iframe.shown-page').waitFor();
    await page.getByLabel('Release held jobs after (periodic_release)').fill('1 min');
    await page.getByLabel('Limit executions to (periodic_vacate)').focus();
    await page.waitForFunction(() => document.documentElement.dataset.answered === 'whole' && document.querySelector('.effects')?.textContent.includes('your changes'));
    assert.match(await page.locator('code').textContent(), /--running --change 'release-after:1 min'/);
    await page.getByLabel('Retries of a program that fails (max_retries)').fill('2');
    await page.getByLabel('Second copy of a job, after its submission by').fill('1 h');
    await page.getByLabel('Limit the time in a slot before the execution to').focus();
    await page.waitForFunction(() => document.querySelector('code')?.textContent.endsWith(" --change 'retries:2' --change 'second-copy:1 h'"));
    await page.getByLabel('Limit executions to (periodic_vacate)').fill('soon');
    await page.getByLabel('Avoid these hosts (requirements)').focus();
    await page.waitForSelector('html[data-answered="problem"]');
    const limit = page.locator('.control', { has: page.locator('#now-limit') });
    assert.equal(await limit.locator('.field-problem').textContent(), "'soon' is no time above zero, such as 6 h or 30 min.");
    assert.equal(await page.locator('.field-problem:not(:empty)').count(), 1);
    assert.match(await page.locator('.state').first().textContent(), /^Not answered, see “Limit executions to .*The last answer stays below\.$/);
    assert.equal(await page.locator('.jobs-now').isVisible(), true);
    await page.reload();
    await whole(page);
    assert.equal(await page.locator('#now-retries').inputValue(), '2', 'the last answered changes are there after a reload');
    assert.equal(await page.locator('#now-limit').inputValue(), '');
    assert.match(await page.locator('code').textContent(), / --change 'release-after:1 min' --change 'retries:2' --change 'second-copy:1 h'$/);
    await writeFile(log, `${runningLog()}005 (0001.006.000) 2026-11-27 10:32:00 Job terminated.\n\t(1) Normal termination (return value 0)\n...\n`);
    await page.getByLabel('Limit executions to (periodic_vacate)').fill('');
    await page.getByRole('button', { name: 'Forecast with what the log contains now' }).click();
    await whole(page);
    await page.waitForFunction(() => document.querySelector('.jobs-now').textContent.includes('5 of 10 jobs over'));
    assert.deepEqual(await serious(page), []);
    assert.deepEqual(complaints, []);
    await page.close();
  } finally {
    own.kill('SIGINT');
  }
});

/** A page of its own server, and the end of both. */
async function served(words, call) {
  const own = spawn(process.env.GRIDCAST, ['open', ...words, '--no-browser', '--port', '0'], { cwd: source, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [bytes] = await once(own.stdout, 'data');
    const page = await browser.context.newPage();
    await page.goto(String(bytes).trim());
    await call(page, String(bytes).trim());
    await page.close();
  } finally {
    own.kill('SIGINT');
  }
}

test('the goal goes along to Compare, the address and the terminal, with money and the chance of a deadline', async () => {
  const priced = path.join(browser.folder, 'priced.yaml');
  await writeFile(priced, `${(await readFile(scenario, 'utf8')).replace('replicas: 60', 'replicas: 10')}prices: {currency: CHF, gpu_hour: 2}\n`);
  await served([priced, '--goal', 'deadline:300 d', '--strategy', 'upgrade'], async (page) => {
    await whole(page);
    assert.deepEqual([await page.locator('#goal').inputValue(), await page.locator('#goal-time').inputValue()], ['deadline', '300']);
    assert.match(page.url(), /set=study\.goal=deadline:300\+d/);
    const answer = page.locator('.grown');
    assert.match(await answer.locator('.first').nth(1).textContent(), /^Deadline 300 d: 90 jobs have finished by then in .*% .*of the campaigns/);
    assert.match(await answer.locator('.first').first().textContent(), / GPU hours.*, and .* CHF\.$/);
    const [, hours, money] = /, for ([\d.]+) .*, and ([\d.]+) .*CHF/.exec(await answer.locator('.first').first().textContent());
    assert.ok(Math.abs(money / hours - 2) < 0.01, `${hours} GPU hours for 2 CHF each cost ${money} CHF`);
    assert.match(await answer.locator('tr', { hasText: 'cost (CHF)' }).locator('td').first().textContent(), new RegExp(`^${money} `));
    assert.match((await page.locator('.copyable pre').allTextContents())[1], / --set 'study\.goal=deadline:300 d' /);
    await page.locator('#goal-time').fill('0');
    assert.match(await page.locator('#goal-problem').textContent(), /above zero/);
    assert.equal(await answer.isVisible(), true);
    await page.locator('#goal-time').fill('3');
    await page.waitForSelector('html[data-answered="growing"]');
    await whole(page);
    assert.match(await answer.locator('.first').nth(1).textContent(), /^Deadline 3 d: .*\(the last answer: /);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.waitForSelector('html[data-compared="all"]', { timeout: 120000 });
    assert.match(await page.locator('.strategies-now thead').textContent(), /Done by 3 d.*GPU hours.*CHF/);
    assert.match(await page.locator('.strategies-now tbody tr').first().textContent(), /%/);
    await page.locator('#goal').selectOption('cost');
    await page.waitForSelector('html[data-compared="all"]', { timeout: 120000 });
    assert.match(page.url(), /#compare\?.*set=study\.goal=cost/);
    assert.match(await page.locator('.hint code').textContent(), / --goal cost -n 10 /);
    assert.doesNotMatch(await page.locator('.strategies-now thead').textContent(), /Done by/);
    assert.deepEqual(await serious(page), []);
    await page.reload();
    await page.locator('#goal').waitFor();
    assert.equal(await page.locator('#goal').inputValue(), 'cost');
  });
});

test('a link to something that is not here says so', async () => {
  const { page, complaints } = await opened();
  const warned = async (hash, ...texts) => {
    await page.goto(`${address}#nothing`);
    await page.goto(`${address}${hash}`);
    for (const text of texts) await page.locator('.notice.warning, .verdict.wrong', { hasText: text }).waitFor();
  };
  await warned('#whatif?scenario=nofile.yaml&strategy=upgrade', /the scenario nofile\.yaml, which is not here/);
  await warned(`#whatif?scenario=${scenario}&set=foo=1&set=campaign.work.epochs=many&set=study.goal=fast`, /sets foo=1,/, /campaign\.work\.epochs=many/, /study\.goal=fast/);
  await warned(`#whatif?scenario=${scenario}&pin=ours~nobody`, /“ours” of the strategy nobody/);
  await warned(`#whatif?scenario=${scenario}&set=strategies.upgrade.retry.max_retries=2`, /which no control of the strategy published takes/);
  await warned('#lesson-99', /There is no lesson 99 here/);
  await warned('#running?change=release', /gridcast open was not started with its log/);
  await page.getByRole('tab', { name: 'What if' }).click();
  await whole(page);
  assert.equal(await page.locator('.notice.warning').count(), 0, 'the next view has no warning');
  await page.goto(`${address}#compare?scenario=${scenario}&strategy=nobody`);
  await page.locator('.notice.warning', { hasText: 'nobody' }).waitFor();
  assert.deepEqual(complaints.filter((each) => !each.includes('400')), []);
  await page.close();
});

test('values on the command line are the first values of the controls, and stand in the address', async () => {
  const own = spawn(process.env.GRIDCAST, ['open', scenario, '--no-browser', '--port', '0', '--strategy', 'upgrade', '--set', 'campaign.work.epochs=3'], { cwd: source, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [bytes] = await once(own.stdout, 'data');
    const page = await browser.context.newPage();
    await page.goto(String(bytes).trim());
    await whole(page);
    assert.equal(await page.locator('.control[data-path="campaign.work.epochs"] input').inputValue(), '3');
    assert.equal(await page.locator('#strategy').inputValue(), 'upgrade');
    assert.match(page.url(), /strategy=upgrade.*set=campaign\.work\.epochs=3/);
    await page.close();
  } finally {
    own.kill('SIGINT');
  }
});
