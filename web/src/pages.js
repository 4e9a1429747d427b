// A report page that gridcast makes on request, shown in the place of the request.
import { el, refill } from './dom.js';

/** @param {Element} place @param {Promise<{address: string}>} asked @param {string} title */
export async function showPage(place, asked, title) {
  refill(place, el('p', { class: 'state', role: 'status' }, 'Making the page …'));
  try {
    const { address } = await asked;
    refill(place, el('p', {}, el('a', { href: address, target: '_blank', rel: 'noreferrer' }, 'Open it by itself')),
      el('iframe', { src: address, class: 'shown-page', title }));
  } catch (error) {
    refill(place, el('p', { class: 'notice warning', role: 'alert' }, error.message));
  }
}
