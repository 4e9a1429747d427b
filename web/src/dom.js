// Elements made from values. Text goes in as text only, so nothing in a report can become markup.

/**
 * @param {string} name
 * @param {Record<string, any>} [properties] `class`, `dataset`, `on` (events), else attributes; null and false leave it out
 * @param {...(Node|string|null|undefined|(Node|string)[])} children
 * @returns {HTMLElement}
 */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'on') for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
    else if (key === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Text of a log or a scenario, in any direction. @param {string} text */
export const name = (text) => el('bdi', {}, text);

/** @param {string} label @param {() => void} call @param {Record<string, any>} [properties] */
export const button = (label, call, properties = {}) =>
  el('button', { type: 'button', on: { click: call }, ...properties }, label);

/** @param {Element} parent @param {...(Node|string|null)} children */
export const refill = (parent, ...children) => parent.replaceChildren(...children.filter((child) => child !== null));

/** A name that may stand in an id. @param {...string} parts */
export const idOf = (...parts) => parts.join('-').replace(/[^A-Za-z0-9_-]+/g, '-');
