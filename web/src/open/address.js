// The state of the page in its address, behind #, so that a reload, a link and the browser's Back show the same:
// #whatif?scenario=FILE&strategy=NAME&set=PATH=VALUE&pin=NAME~STRATEGY~PATH=VALUE, #compare, #lesson-3, #running?change=limit:6 h.

/** @typedef {{path: string, value: string}} Setting */
/** @typedef {{name: string, strategy: string, set: Setting[]}} PinnedQuestion */
/** @typedef {{view: string, lesson?: number, scenario: string, strategy: string, set: Setting[], pins: PinnedQuestion[], changes?: string[]}} State */

/** Choices of a view; an empty one is the default: the pin to compare with, and what Compare shows. */
const choices = ['against', 'metric', 'first', 'second', 'replica'];

export const views = ['whatif', 'compare', 'lessons', 'running'];

/** @param {string} text "PATH=VALUE" @returns {Setting} */
function settingIn(text) {
  const at = text.indexOf('=');
  return { path: text.slice(0, at), value: text.slice(at + 1) };
}

/** @param {string} text @returns {PinnedQuestion} */
function pinIn(text) {
  const [name, strategy = '', ...set] = text.split('~').map(decodeURIComponent);
  return { name, strategy, set: set.filter((each) => each.includes('=')).map(settingIn) };
}

const settingText = ({ path, value }) => `${path}=${value}`;
/** encodeURIComponent leaves ~ as it is. @param {string} text */
const inPin = (text) => encodeURIComponent(text).replaceAll('~', '%7E');
/** @param {PinnedQuestion} pin */
const pinText = ({ name, strategy, set }) => [name, strategy, ...set.map(settingText)].map(inPin).join('~');

/** Null if the address names no view. @param {string} hash @returns {State|null} */
export function stateIn(hash) {
  const [name, query = ''] = hash.slice(1).split(/\?(.*)/s);
  const fields = new URLSearchParams(query);
  const lesson = /^lesson-(\d+)$/.exec(name);
  if (!lesson && !views.includes(name)) return null;
  return {
    view: lesson ? 'lessons' : name,
    ...(lesson ? { lesson: Number(lesson[1]) } : {}),
    ...(name === 'running' ? { changes: fields.getAll('change') } : {}),
    scenario: fields.get('scenario') ?? '',
    strategy: fields.get('strategy') ?? '',
    set: fields.getAll('set').filter((each) => each.includes('=')).map(settingIn),
    pins: fields.getAll('pin').map(pinIn).filter((each) => each.name),
    ...Object.fromEntries(choices.filter((each) => fields.get(each)).map((each) => [each, fields.get(each)])),
  };
}

/** Points, slashes and signs of equality stay readable. @param {URLSearchParams} fields */
const queryText = (fields) => fields.toString().replaceAll('%2F', '/').replaceAll('%3D', '=').replaceAll('%3A', ':');

/** @param {State} state */
export function hashOf({ view, lesson, scenario, strategy, set, pins, changes = [], ...chosen }) {
  if (view === 'running') return changes.length ? `#running?${queryText(new URLSearchParams(changes.map((each) => ['change', each])))}` : '#running';
  if (view === 'lessons') return lesson ? `#lesson-${lesson}` : '#lessons';
  const fields = new URLSearchParams();
  if (scenario) fields.append('scenario', scenario);
  if (strategy) fields.append('strategy', strategy);
  set.forEach((each) => fields.append('set', settingText(each)));
  pins.forEach((each) => fields.append('pin', pinText(each)));
  choices.filter((each) => chosen[each]).forEach((each) => fields.append(each, chosen[each]));
  const query = queryText(fields);
  return query ? `#${view}?${query}` : `#${view}`;
}
