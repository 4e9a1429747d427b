// Light and dark: the system's choice until the reader makes one. Drawings take their colours from
// the style; drawings on a canvas receive changes.
import { button } from './dom.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const printing = matchMedia('print');
const listeners = new Set();

/** @param {() => void} call */
export const onThemeChange = (call) => listeners.add(call);
const tell = () => listeners.forEach((call) => call());

let chosen = null; // by the reader

const isDark = () => (chosen ?? (system.matches ? 'dark' : 'light')) === 'dark';

/** The style knows the theme by this attribute alone. */
function dress(dark = isDark()) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  tell();
}

export function themeButton() {
  const label = () => (isDark() ? 'Light page' : 'Dark page');
  const toggle = button(label(), () => {
    chosen = isDark() ? 'light' : 'dark';
    dress();
  }, { class: 'quiet', id: 'theme' });
  const relabel = () => { toggle.textContent = label(); };
  onThemeChange(relabel);
  system.addEventListener('change', () => dress());
  printing.addEventListener('change', tell);
  addEventListener('beforeprint', () => dress(false)); // a canvas is no style: it has to be light before
  addEventListener('afterprint', () => dress());
  dress();
  return toggle;
}

/** A colour of the style. @param {string} variable */
export const colour = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
