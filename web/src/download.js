// Files made from the page's data.
import { button } from './dom.js';
import { pictureOf, pngOf } from './picture.js';

/** @param {string} file @param {Blob} blob */
function save(file, blob) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const fileButton = (label, about, file, call) => button(label, call, { class: 'quiet', 'aria-label': `${label}: ${about}`, 'data-file': file });

/**
 * @param {string} label what the reader sees @param {string} about its subject, for a screen reader
 * @param {string} file @param {string} type @param {() => string} text
 */
export const downloadButton = (label, about, file, type, text) =>
  fileButton(label, about, file, () => save(file, new Blob([text()], { type })));

/** A figure as SVG and PNG. @param {string} title @param {string} name of the files @param {() => HTMLElement} figure @param {Parameters<typeof pictureOf>[2]} charts */
export function pictureButtons(title, name, figure, charts) {
  const picture = () => pictureOf(figure(), title, charts);
  return [fileButton('SVG', title, `${name}.svg`, () => save(`${name}.svg`, new Blob([picture().text], { type: 'image/svg+xml' }))),
    fileButton('PNG', title, `${name}.png`, async () => save(`${name}.png`, await pngOf(picture())))];
}
