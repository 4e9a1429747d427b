// A figure as one SVG file: its title, its legend and its charts below each other, light and with its
// styles inside, so that it looks the same elsewhere. The PNG file is drawn from it.
import { drawn } from './svg.js';

const margin = 12;
const styles = ['fill', 'stroke', 'font-size', 'font-family', 'font-weight', 'font-style'];

/** The page's style, as attributes of a copy. @param {SVGElement} svg */
function withStyles(svg) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  if (!svg.isConnected) return copy; // made for a file
  const [from, to] = [svg, copy].map((each) => [...each.querySelectorAll('text, path, line, rect')]);
  from.forEach((element, i) => {
    const computed = getComputedStyle(element);
    styles.forEach((name) => to[i].setAttribute(name, computed.getPropertyValue(name)));
  });
  return copy;
}

const text = (content, x, y, size, weight = 'normal') => {
  const element = drawn('text', { x, y, 'font-size': size, 'font-weight': weight, 'font-family': 'sans-serif', fill: '#1b2027' });
  element.textContent = content;
  return element;
};

/** Words on lines of so many letters. @param {string} words @param {number} letters */
export function linesOf(words, letters) {
  const lines = [''];
  for (const word of words.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length >= letters) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** The signs of the legend that are shown, with their words. @param {Element} figure */
const legendOf = (figure) => [...figure.querySelectorAll('.series label, .legend li')]
  .filter((item) => item.querySelector('input')?.checked ?? true)
  .map((item) => ({ sign: item.querySelector('svg'), words: item.textContent.trim() }));

/** Puts parts below each other. */
class Sheet {
  constructor(width) {
    this.width = width;
    this.y = margin;
    this.parts = [];
  }

  words(content, size, weight) {
    for (const line of linesOf(content, (1.7 * this.width) / size)) {
      this.y += size;
      this.parts.push(text(line, margin, this.y, size, weight));
      this.y += size * 0.35;
    }
  }

  legend(items) {
    let x = margin;
    for (const { sign, words } of items) {
      const width = 34 + 7 * words.length;
      if (x > margin && x + width > this.width) {
        x = margin;
        this.y += 18;
      }
      if (sign) this.put(sign, x, this.y + 4);
      this.parts.push(text(words, x + 28, this.y + 14, 12));
      x += width;
    }
    if (items.length > 0) this.y += 26;
  }

  put(svg, x, y) {
    const copy = withStyles(svg);
    copy.setAttribute('x', String(x));
    copy.setAttribute('y', String(y));
    this.parts.push(copy);
  }

  chart(svg, height) {
    this.put(svg, margin, this.y);
    this.y += height + margin;
  }

  /** @returns {{text: string, width: number, height: number}} */
  finished() {
    const [width, height] = [Math.ceil(this.width + 2 * margin), Math.ceil(this.y + margin)];
    const root = drawn('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
      drawn('rect', { width, height, fill: '#ffffff' }), ...this.parts);
    return { text: new XMLSerializer().serializeToString(root), width, height };
  }
}

/** Colours of the light page, whatever the reader has. @template T @param {() => T} call @returns {T} */
function inLight(call) {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = 'light';
  try {
    return call();
  } finally {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
  }
}

/** @param {HTMLElement} figure @param {string} title @param {() => {svg: SVGElement, title?: string, width: number, height: number}[]} charts made in light colours */
export const pictureOf = (figure, title, charts) => inLight(() => {
  const all = charts();
  const sheet = new Sheet(Math.max(320, ...all.map((chart) => chart.width)));
  sheet.words(title, 15, 'bold');
  sheet.legend(legendOf(figure));
  for (const chart of all) {
    if (chart.title) sheet.words(chart.title, 13, 'bold');
    sheet.chart(chart.svg, chart.height);
  }
  return sheet.finished();
});

/** The charts that a figure shows. @param {HTMLElement} figure */
export const chartsOf = (figure) => [...figure.querySelectorAll('.panel')].flatMap((panel) => {
  const svg = panel.querySelector('.chart svg');
  if (!svg) return [];
  return [{ svg, title: panel.querySelector('h4')?.textContent, width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height')) }];
});

/** @param {{text: string, width: number, height: number}} picture @param {number} [scale] @returns {Promise<Blob>} */
export async function pngOf(picture, scale = 2) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: picture.width * scale, height: picture.height * scale });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
