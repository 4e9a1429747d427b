// Elements of SVG, made from values.
const namespace = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Record<string, any>} attributes @param {...(Node|string)} children @returns {SVGElement} */
export function drawn(tag, attributes, ...children) {
  const element = document.createElementNS(namespace, tag);
  for (const [key, value] of Object.entries(attributes)) if (key !== 'xmlns') element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
