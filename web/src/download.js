// Files made from the page's data.
import { button } from './dom.js';

/** @param {string} file @param {string} type @param {string} text */
function save(file, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * @param {string} label what the reader sees @param {string} about its subject, for a screen reader
 * @param {string} file @param {string} type @param {() => string} text
 */
export const downloadButton = (label, about, file, type, text) =>
  button(label, () => save(file, type, text()), { class: 'quiet', 'aria-label': `${label}: ${about}`, 'data-file': file });
