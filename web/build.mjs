// Makes the report template: ONE HTML file with the style, the program and the licences inside.
//
//   node build.mjs OUT.html
//
// The page may run only what is in it: the content security policy names the style and the program
// by their hashes and lets nothing be fetched.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicences } from './licences.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** What the program puts the escaped JSON of a report in place of. */
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

/** @param {object} specs @param {object} licences */
const bundle = (specs, licences) =>
  build({
    entryPoints: [path.join(here, 'src/main.js')],
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
    define: { GRIDCAST_SPECS: JSON.stringify(specs), GRIDCAST_LICENCES: JSON.stringify(licences) },
  });

async function readStyle() {
  const result = await build({
    entryPoints: [path.join(here, 'css/page.css')],
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

async function main() {
  const out = path.resolve(process.argv[2] ?? path.join(here, 'dist/report.html'));
  const specs = await readSpecs();
  const unlicensed = await bundle(specs, []);
  const licences = await bundledLicences(here, Object.keys(unlicensed.metafile.inputs));
  const code = inScript((await bundle(specs, licences)).outputFiles[0].text.trim());
  const style = await readStyle();
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const template = await readFile(path.join(here, 'report.html'), 'utf8');
  const page = fill(template, {
    POLICY: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    STYLE: `<style>${style}</style>`,
    PROGRAM: `<script>${code}</script>`,
  });
  if (page.split(placeholder).length !== 2) throw new Error(`${placeholder} must stand in the page once`);
  await mkdir(path.dirname(out), { recursive: true });
  await writeFile(`${out}.part`, page);
  await rename(`${out}.part`, out);
  console.log(`${out}: ${Math.round(page.length / 1024)} KB, ${licences.length} packages inside`);
}

await main();
