// Makes the three pages, each ONE HTML file with its style and its program inside: the template of
// reports, with its libraries' licences; beside it open.html, the page of `gridcast open`, and the
// template lessons.html of `gridcast lesson static`.
//
//   node build.mjs FOLDER/report.html
//
// A page may run only its own code: the content security policy names the style and the program by
// their hashes. A report can fetch nothing, and the other page uses the server it came from.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicences } from './licences.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The mark that the program replaces by the escaped JSON of a report. */
const placeholder = '<!--GRIDCAST-DATA-->';

/** @param {string} text */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Text that ends no script element before its time. @param {string} text */
const inScript = (text) => text.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');

/** The Vega-Lite specs, by the name the program calls them. */
async function readSpecs() {
  const folder = path.join(here, 'specs');
  const ending = '.vl.json';
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  const specs = {};
  for (const name of names) {
    specs[name.slice(0, -ending.length)] = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  }
  return specs;
}

/** Transforms of Vega's that no spec here uses, 86 kB: nothing stands in for each, and Vega registers that. */
const unused = {
  name: 'unused-transforms',
  setup(bundler) {
    bundler.onResolve({ filter: /^vega-(crossfilter|force|hierarchy|label|regression|voronoi|wordcloud)$/ }, ({ path: name }) => ({ path: name, namespace: 'unused' }));
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'export {};' }));
  },
};

/** @param {string} entry @param {object} specs @param {object} licences */
const bundle = (entry, specs, licences) =>
  build({
    entryPoints: [path.join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: 'es2020',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: here,
    plugins: [unused],
    define: { GRIDCAST_SPECS: JSON.stringify(specs), GRIDCAST_LICENCES: JSON.stringify(licences) },
  });

/** @param {string} file */
async function readStyle(file) {
  const result = await build({
    entryPoints: [path.join(here, file)],
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

/** @param {string} template @param {Record<string, string>} parts */
const fill = (template, parts) =>
  Object.entries(parts).reduce((text, [name, part]) => text.split(`<!--${name}-->`).join(part), template);

/** @param {string} name of the template @param {string} code @param {string} style @param {string[]} fetches further addresses that it may fetch */
async function pageOf(name, code, style, fetches) {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    ...fetches,
  ].join('; ');
  return fill(await readFile(path.join(here, name), 'utf8'), {
    POLICY: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    STYLE: `<style>${style}</style>`,
    PROGRAM: `<script>${code}</script>`,
  });
}

/** @param {string} out @param {string} page */
async function put(out, page) {
  await mkdir(path.dirname(out), { recursive: true });
  await writeFile(`${out}.part`, page);
  await rename(`${out}.part`, out);
  console.log(`${out}: ${Math.round(page.length / 1024)} KB`);
}

const codeOf = async (entry, specs, licences) => inScript((await bundle(entry, specs, licences)).outputFiles[0].text.trim());

async function main() {
  const out = path.resolve(process.argv[2] ?? path.join(here, 'dist/report.html'));
  const specs = await readSpecs();
  const unlicensed = await bundle('src/main.js', specs, []);
  const licences = await bundledLicences(here, Object.keys(unlicensed.metafile.inputs));
  const report = await pageOf('report.html', await codeOf('src/main.js', specs, licences), await readStyle('css/page.css'), []);
  if (report.split(placeholder).length !== 2) throw new Error(`${placeholder} must stand in the page once`);
  const open = await pageOf('open.html', await codeOf('src/open/main.js', {}, []), await readStyle('css/open_page.css'),
    ["connect-src 'self'", "frame-src 'self'"]);
  const lessons = await pageOf('lessons.html', await codeOf('src/lessons/main.js', {}, []), await readStyle('css/open_page.css'), []);
  if (lessons.split(placeholder).length !== 2) throw new Error(`${placeholder} must stand in lessons.html once`);
  await put(out, report);
  await put(path.join(path.dirname(out), 'lessons.html'), lessons);
  await put(path.join(path.dirname(out), 'open.html'), open);
}

await main();
