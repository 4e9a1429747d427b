// The reader's picks: figures that let one pick among the same field's values follow each other.
import { el } from './dom.js';

/** @type {((field: string, value: string) => void)[]} */
const followers = [];

/** All figures with this field show this value. @param {string} field @param {string} value */
export const pick = (field, value) => followers.forEach((follow) => follow(field, value));

/**
 * A list to pick from, which follows picks elsewhere.
 * @param {string} id @param {{field: string, title: string, values: string[]}} choices @param {(value: string) => void} changed
 */
export function picker(id, choices, changed) {
  const select = el('select', { id, on: { change: () => pick(choices.field, select.value) } },
    choices.values.map((value) => el('option', { value }, value)));
  let last = choices.values[0];
  followers.push((field, value) => {
    if (field !== choices.field || value === last || !choices.values.includes(value)) return;
    last = select.value = value;
    changed(value);
  });
  return el('p', { class: 'pick' }, el('label', { for: id }, `${choices.title}: `), select);
}
