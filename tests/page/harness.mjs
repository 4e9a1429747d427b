// A report on disk, opened in Chromium as a reader would: from a file, with nothing else to load.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** The page as the build made it. */
export const templateFile = process.env.GRIDCAST_PAGE;

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** What sim/report does: the JSON without a character that could end its element. */
export function inTemplate(template, document) {
  const json = JSON.stringify(document).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return template.split('<!--GRIDCAST-DATA-->').join(`<script type="application/json" id="gridcast-report">${json}</script>`);
}

/** A browser with a new empty profile, and a folder for reports. */
export async function start() {
  const template = await readFile(templateFile, 'utf8');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gridcast-page-'));
  const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    executablePath: process.env.GRIDCAST_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: flags,
    viewport: { width: 1200, height: 900 },
    acceptDownloads: true,
  });
  context.setDefaultTimeout(90000); // a loaded machine is slow
  let count = 0;
  return {
    folder,
    context,
    /** @param {object} document @returns its file */
    async write(document) {
      const file = path.join(folder, `report-${(count += 1)}.html`);
      await writeFile(file, inTemplate(template, document));
      return file;
    },
    async stop() {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Opens a report and waits until all is drawn; its sections are opened unless `unfolded` is false.
 * @returns {Promise<{page: import('playwright-core').Page, complaints: string[], requests: string[]}>}
 */
export async function open(context, file, { theme = 'light', size, unfolded = true } = {}) {
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' }); // no place moves while it is looked at
  if (size) await page.setViewportSize(size);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('html[data-drawn]');
  if (unfolded && await page.locator('#unfold').count()) {
    await page.evaluate(() => document.getElementById('unfold').click());
    await page.waitForSelector('html[data-drawn="all"]');
  }
  return { page, complaints, requests };
}
