// Colours that people with any colour vision distinguish (after Okabe and Ito, 2008), each dark enough
// for white paper and light enough for a dark screen (3 to 1 against both). Where more are needed
// than there are colours, the dashes of the lines differ.

export const good = '#1f7cc0';
export const bad = '#d55e00';

const colours = ['#1f7cc0', '#d55e00', '#00936b', '#b565a7', '#a07d00', '#3a97cc', '#7d6bd0', '#7d858f', '#a8704a', '#c2362b'];
const dashes = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]];

/** @param {number} count */
export const colourRange = (count) => Array.from({ length: count }, (_, i) => colours[i % colours.length]);

/** @param {number} count */
export const dashRange = (count) =>
  Array.from({ length: count }, (_, i) => dashes[Math.floor(i / 4) % dashes.length]);

/** How each phase of a job is drawn: its colour, and a form that does without colour. */
export const phaseLooks = {
  waiting: { colour: '#8b929c', form: 'line' },
  matched: { colour: '#8b929c', form: 'half' },
  transfer: { colour: '#3a97cc', form: 'full' },
  stalled: { colour: '#d55e00', form: 'hatched' },
  executing: { colour: '#00936b', form: 'full' },
  checkpoint: { colour: '#7d6bd0', form: 'full' },
  suspended: { colour: '#a07d00', form: 'half' },
  disconnected: { colour: '#b565a7', form: 'hollow' },
  held: { colour: '#7d858f', form: 'hatched' },
  evicted: { colour: '#c2362b', form: 'full' },
};

/** @param {string} phase */
export const lookOf = (phase) => phaseLooks[phase] ?? { colour: '#7d858f', form: 'full' };
