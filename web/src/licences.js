// The licences of the libraries whose code is in this file.
import { el } from './dom.js';

/* global GRIDCAST_LICENCES */

export function licences() {
  const groups = GRIDCAST_LICENCES.map(({ packages, licence, text }) =>
    el('details', {}, el('summary', {}, `${packages.join(', ')} (${licence})`), el('pre', { tabindex: '0' }, text)));
  return el('section', { id: 'licences', class: 'part', 'aria-labelledby': 'heading-licences' },
    el('h2', { id: 'heading-licences' }, 'Licences of bundled code'),
    el('p', {}, 'The charts are drawn by these libraries, whose code is inside this file.'),
    groups);
}
