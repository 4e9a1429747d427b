// Values of controls: taken apart for the form, put together for the scenario; the differences from it as
// YAML and as a command.

/** @typedef {{path: string, group: string, label: string, form: string, help: string, value: string, source: string, default: string, first: boolean, no_effect: string, sampled?: [number, number], least: number|null, most: number|null, above: boolean, words?: string[]}} Control */

const units = {
  time: ['s', 'min', 'h', 'd'],
  size: ['MB', 'GB', 'TB', 'MiB', 'GiB', 'TiB', 'kB', 'B'],
  rate: ['MB/s', 'GB/s', 'Gbps', 'Mbps', 'B/s'],
};

/** The units to choose from; none for a value without one. @param {Control} control */
export function unitsOf(control) {
  const known = units[control.form];
  if (!known) return [];
  const { unit } = takenApart(control.value || control.default);
  return unit && !known.includes(unit) ? [unit, ...known] : known;
}

/** "60 min" as its number and unit. @param {string} text */
export function takenApart(text) {
  const match = /^\s*([-+0-9.eE]+)\s*([^\s0-9]*)\s*$/.exec(text);
  return match ? { number: match[1], unit: match[2] } : { number: '', unit: '' };
}

/** Whether one field and one unit can show it. @param {Control} control */
export const isSimple = (control) => control.value === '' || takenApart(control.value).number !== '';

/** A bound that nobody meets is not worth a word. */
const beyondReason = 1e6;

/** "above 0", "from 1 to 100" @param {Control} control */
export function boundsText({ form, least, most, above }) {
  if (!['integer', 'number', 'time', 'size', 'rate'].includes(form)) return '';
  if (most !== null && most < beyondReason) return `from ${least ?? 0} to ${most}`;
  return above ? `above ${least}` : least ? `from ${least}` : '';
}

const sources = {
  scenario: 'from the scenario',
  software: 'by the rules of the software’s versions',
  default: 'the default',
};
/** @param {Control} control @param {boolean} ofWork whether a submit file stands for the scenario */
export const sourceText = (control, ofWork = false) => (ofWork && control.source === 'scenario' ? 'from the submit file, or assumed' : control.path.startsWith('pool.') ? 'from the pool’s file' : sources[control.source]);

const notAt = (resource) => `GLIDEIN_ResourceName =!= ${JSON.stringify(resource)}`;

/** A condition as a scenario has it, in quotes only where YAML needs them. @param {string} text */
const written = (text) => (/: |:$|\s#|^[\s"'&*!|>%@`{[?-]/.test(text) ? JSON.stringify(text) : text);

/** @param {string} text */
function unquoted(text) {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The condition that leaves out sites, with the strategy's present requirements. @param {string[]} resources @param {string} requirements */
export function withoutSites(resources, requirements) {
  const own = unquoted(requirements);
  return written([own ? `(${own})` : '', ...resources.map(notAt)].filter(Boolean).join(' && '));
}

/** @param {string} text */
function inOneParenthesis(text) {
  let depth = 0;
  return text !== '' && [...text].every((each, i) => {
    depth += each === '(' ? 1 : each === ')' ? -1 : 0;
    return depth > 0 || (i > 0 && i === text.length - 1);
  });
}

/** What withoutSites made, taken apart again. @param {string} text @param {string[]} resources of all sites */
export function leftOutIn(text, resources) {
  let own = unquoted(text);
  const out = [];
  for (;;) {
    const last = resources.find((each) => own === notAt(each) || own.endsWith(` && ${notAt(each)}`));
    if (last === undefined) break;
    out.unshift(last);
    own = own.slice(0, -notAt(last).length).replace(/ && $/, '');
  }
  if (out.length && inOneParenthesis(own)) own = own.slice(1, -1);
  return { own, out };
}

/** One word of a POSIX shell. @param {string} text */
export const shellWord = (text) => (/^[A-Za-z0-9_./:=,@%+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

const settingWords = (set) => set.flatMap(({ path, value }) => ['--set', `${path}=${value}`]);

/**
 * @param {{scenario: string, strategy: string, set: {path: string, value: string}[], replicas: number, seed: number}} question
 * @param {string[]} [work] the files that the scenario is made from
 */
export function commandOf(question, work = [question.scenario]) {
  const words = ['gridcast', 'forecast', ...work, '--strategy', question.strategy, ...settingWords(question.set)];
  words.push('-n', String(question.replicas), '--seed', String(question.seed), '--json');
  return words.map(shellWord).join(' ');
}

/** @param {{scenario: string, set: {path: string, value: string}[], replicas: number, seed: number}} question */
export function compareCommandOf({ scenario, set, replicas, seed }, work = [scenario]) {
  const goal = set.find(({ path }) => path === 'study.goal');
  const words = ['gridcast', 'compare', ...work, ...(goal ? ['--goal', goal.value] : []), ...settingWords(set.filter((each) => each !== goal))];
  return [...words, '-n', String(replicas), '--seed', String(seed)].map(shellWord).join(' ');
}

/**
 * The result as `gridcast forecast --json` prints it: it names the jobs, whose scenario goes with the page.
 * @param {string} result @param {{scenario: string, work?: string[]}} about
 */
export const resultText = (result, { scenario, work }) => (work ? `${JSON.stringify({ ...JSON.parse(result), scenario }, null, 2)}\n` : result);

/** The keys of a path; a strategy's name may have points in it. */
function keysOf(path, strategy) {
  const front = `strategies.${strategy}.`;
  if (path.startsWith(front)) return ['strategies', strategy, ...path.slice(front.length).split('.')];
  return path.split('.');
}

/** In its form in a file; a quoted value stays unchanged. */
const scalar = (text) => (text.startsWith('"') || (/^[A-Za-z0-9_./ -]+$/.test(text) && text === text.trim()) ? text : JSON.stringify(text));
const keyText = (key) => (/^[A-Za-z][A-Za-z0-9_./-]*$/.test(key) ? key : JSON.stringify(key));

function lines(tree, indent) {
  const blank = ' '.repeat(indent);
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${blank}${keyText(key)}: ${scalar(value)}`] : [`${blank}${keyText(key)}:`, ...lines(value, indent + 2)]);
}

/**
 * The differences, in the form of the files.
 * @param {{path: string, value: string}[]} set @param {string} strategy
 */
export function yamlOf(set, strategy) {
  const tree = {};
  const entries = [];
  const ofPool = [];
  for (const { path, value } of set) {
    if (path.startsWith('pool.')) ofPool.push(`# in the pool's file, ${path.slice(5)}: ${value}`);
    else if (path.includes('[')) entries.push(`# ${path}: ${value}`);
    else {
      const keys = keysOf(path, strategy);
      const last = keys.pop();
      let node = tree;
      for (const key of keys) node = node[key] ??= {};
      node[last] = value;
    }
  }
  return [...lines(tree, 0), ...entries, ...ofPool].join('\n');
}
