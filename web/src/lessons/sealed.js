// The replies of a page without a server: each opens with the answer that it belongs to (sim/report/data/sealed_answers.hpp).
import { sha256 } from './sha256.js';

const units = {
  time: { us: 1e-6, 'µs': 1e-6, ms: 1e-3, s: 1, sec: 1, second: 1, seconds: 1, min: 60, minute: 60, minutes: 60, h: 3600, hour: 3600, hours: 3600, d: 86400, day: 86400, days: 86400, w: 604800, week: 604800, weeks: 604800 },
  size: { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 },
};

const wanted = {
  time: "Answer with a time and its unit, such as '90 min'.",
  size: "Answer with a size and its unit, such as '20 GB'.",
  number: 'Answer with a number',
};

/** The sum of its parts, "1 h 30 min"; null if it is none. @param {string} text @param {Record<string, number>} known */
function amountIn(text, known) {
  if (!/^\s*(\d*\.?\d+(e[-+]?\d+)?\s*[^\s\d.]+\s*)+$/i.test(text)) return null;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d*\.?\d+(?:e[-+]?\d+)?)\s*([^\s\d.]+)/gi)) {
    if (!Object.hasOwn(known, unit)) return null;
    sum += Number(number) * known[unit];
  }
  return sum;
}

/** @param {string} text @param {string} unit the word that may follow */
function countIn(text, unit) {
  const match = /^\s*(-?\d*\.?\d+(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text);
  return match && (match[2] === '' || match[2].toLowerCase() === unit.toLowerCase()) ? Number(match[1]) : null;
}

const stepsOfScale = 1000;

/** @param {any} sealed @param {string} answer */
function keyOf(sealed, answer) {
  if (sealed.kind === 'choice') return `c:${answer.trim().toLowerCase()}`;
  const number = sealed.kind === 'number' ? countIn(answer, sealed.unit) : amountIn(answer, units[sealed.kind]);
  if (number === null) throw new Error(`'${answer}' is no answer. ${wanted[sealed.kind]}${sealed.kind === 'number' ? `${sealed.unit ? ` of ${sealed.unit}` : ''}.` : ''}`);
  if (number === 0) return 'n:0';
  return `n:${number < 0 ? '-' : ''}${Math.round(stepsOfScale * Math.log(Math.abs(number)))}`;
}

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const digitsOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const mixed = (one, other) => one.map((byte, i) => byte ^ other[i]);

function streamOf(secret, length) {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) => sha256(`${secret}:${i}`));
  return bytesOf(blocks.join(''));
}

/**
 * The reply to an answer: {right, why | hint, goal, first_guess}. Throws if it is no answer at all.
 * @param {any} sealed @param {string} answer
 */
export function replyTo(sealed, answer) {
  const key = keyOf(sealed, answer);
  const found = sealed.locks[sha256(`tag:${sealed.salt}:${key}`).slice(0, 16)];
  if (!found) return sealed.other;
  const [place, lock] = found;
  const secret = digitsOf(mixed(bytesOf(lock), bytesOf(sha256(`key:${sealed.salt}:${key}`))));
  const box = bytesOf(sealed.boxes[place]);
  return JSON.parse(new TextDecoder().decode(mixed(box, streamOf(secret, box.length))));
}
