// The licences of the packages whose code is in the page.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the package a bundled file belongs to. @param {string} file */
const packageFolder = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** @param {string} folder */
async function licenceText(folder) {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  return file ? (await readFile(path.join(folder, file), 'utf8')).replace(/\r/g, '').trim() : '';
}

/**
 * Packages with the same text stand together, so that it is in the page once.
 * @param {string} root folder the files are relative to
 * @param {string[]} files the files that esbuild read
 * @returns {Promise<{packages: string[], licence: string, text: string}[]>}
 */
export async function bundledLicences(root, files) {
  const folders = [...new Set(files.map(packageFolder).filter(Boolean))].sort();
  const groups = new Map();
  for (const folder of folders) {
    const about = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
    const text = await licenceText(path.join(root, folder));
    const licence = about.license ?? 'not stated';
    const key = `${licence}\n${text}`;
    if (!groups.has(key)) groups.set(key, { packages: [], licence, text });
    groups.get(key).packages.push(`${about.name} ${about.version}`);
  }
  return [...groups.values()];
}
