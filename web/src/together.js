// A number, or two of a range, and their unit stay on one line. A command in backticks is code.
import { el } from './dom.js';

const units = 's|min|h|d|%|B|kB|MB|GB|TB|PB|GPUs?|GPU hours?|jobs?|epochs?|ms';
const number = '[−-]?\\d[\\d.,]*(?:e[+-]?\\d+)?';
const kept = new RegExp(`\`[^\`]+\`|(?:${number} to )?${number} (?:${units})(?:/s)?(?![\\w/])`, 'g');

/**
 * Text in pieces; a number with its unit is one.
 * @param {string|null|undefined} text @returns {(Node|string)[]}
 */
export function together(text) {
  const whole = String(text ?? '');
  const pieces = [];
  let end = 0;
  for (const found of whole.matchAll(kept)) {
    const [words] = found;
    const piece = words.startsWith('`') ? el('code', {}, words.slice(1, -1)) : el('span', { class: 'together' }, words);
    pieces.push(whole.slice(end, found.index), piece);
    end = found.index + found[0].length;
  }
  return [...pieces, whole.slice(end)].filter((piece) => piece !== '');
}
