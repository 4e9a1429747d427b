// The form of the controls, made from the keys of the scenario.
import { button, el, idOf } from '../dom.js';
import { boundsText, isSimple, leftOutIn, sourceText, takenApart, unitsOf, withoutSites } from './values.js';

const groups = {
  campaign: 'The campaign', sites: 'Sites', software: 'Software', transfer: 'Transfers', retry: 'After a failure',
  release: 'Releases of held jobs', match: 'Which slots', limits: 'Limits', checkpoint: 'Checkpoints', training: 'Data',
};

function wordField(control, id, changed) {
  const field = el('select', { id, on: { change: changed } }, control.words.map((word) => el('option', { value: word }, word.replaceAll('_', ' '))));
  const start = control.value || control.default;
  field.value = start;
  return { parts: [field], read: () => field.value, write: (value) => { field.value = value || start; } };
}

function truthField(control, id, changed) {
  const field = el('input', { type: 'checkbox', id, on: { change: changed } });
  const write = (value) => { field.checked = (value || control.default) === 'true'; };
  write(control.value);
  return { parts: [field], read: () => (field.checked ? 'true' : 'false'), write };
}

function numberField(control, id, changed) {
  const units = unitsOf(control);
  const step = control.form === 'integer' ? '1' : 'any';
  const field = el('input', { type: 'number', id, step, min: control.least ?? 0, max: control.most, on: { input: changed } });
  const unit = units.length ? el('select', { 'aria-label': `Unit of ${control.label}`, on: { change: changed } }, units.map((each) => el('option', {}, each))) : null;
  const write = (value) => {
    const taken = takenApart(value);
    field.value = taken.number;
    if (unit && taken.unit) unit.value = taken.unit;
  };
  write(control.value);
  return { parts: [field, unit], read: () => (field.value === '' ? '' : unit ? `${field.value} ${unit.value}` : field.value), write };
}

function textField(control, id, changed) {
  const field = el('input', { type: 'text', id, class: control.form === 'expression' ? 'long' : null, spellcheck: 'false', autocomplete: 'off', on: { change: changed } });
  field.value = control.value;
  return { parts: [field], read: () => field.value.trim(), write: (value) => { field.value = value; } };
}

function fieldOf(control, id, changed) {
  if (control.form === 'word') return wordField(control, id, changed);
  if (control.form === 'truth') return truthField(control, id, changed);
  const numeric = ['integer', 'number', 'time', 'size', 'rate'].includes(control.form);
  return numeric && isSimple(control) ? numberField(control, id, changed) : textField(control, id, changed);
}

/** "sampled: 14 to 30" @param {import('./values.js').Control} control */
const sampledText = ({ sampled }) => (sampled ? `; the calibration samples ${sampled[0] === sampled[1] ? sampled[0] : `${sampled[0]} to ${sampled[1]}`} unless it is set here` : '');

/** The browser's words on a value that its field does not take; empty if it does. */
const refusedBy = (parts) => parts.find((each) => each?.validity && !each.validity.valid)?.validationMessage ?? '';

/** One control. @param {import('./values.js').Control} control @param {(path: string) => void} changed @param {boolean} ofWork of a submit file */
export function controlElement(control, changed, ofWork = false) {
  const id = idOf('control', control.path);
  const source = el('span', { class: 'source' });
  const problem = el('p', { class: 'field-problem', id: `${id}-problem`, role: 'alert' });
  const reason = el('p', { class: 'note no-effect' });
  const back = button('Back', () => { field.write(control.value); noted(); }, { class: 'quiet', 'aria-label': `Back to the scenario's value: ${control.label}` });
  const field = fieldOf(control, id, () => noted());
  const start = field.read();
  const value = () => (field.read() === start ? null : field.read());
  const element = el('div', { class: 'control', 'data-path': control.path },
    el('label', { for: id, title: control.path }, control.label),
    el('div', { class: 'row' }, field.parts, back), problem, reason,
    el('p', { class: 'hint' }, source, sampledText(control), `. ${control.help}${boundsText(control) ? ` (${boundsText(control)})` : ''}`));
  function show() {
    const turned = value() !== null;
    element.classList.toggle('turned', turned);
    source.textContent = turned ? `was ${control.value || control.default || 'not set'}` : `${control.value ? '' : 'not set; '}${sourceText(control, ofWork)}`;
    back.hidden = !turned;
  }
  /** Beside the field; the answer that there is stays. */
  function complain(text) {
    problem.textContent = text;
    const input = field.parts[0];
    input.toggleAttribute('aria-invalid', text !== '');
    if (text) input.setAttribute('aria-describedby', problem.id);
    else input.removeAttribute('aria-describedby');
  }
  function noted() {
    show();
    complain(refusedBy(field.parts));
    changed(control.path);
  }
  /** @param {string} why it changes nothing now; empty: it does */
  function effect(why) {
    field.parts.forEach((each) => { if (each) each.disabled = why !== ''; });
    reason.textContent = why ? `No effect now: ${why}.` : '';
  }
  show();
  effect(control.no_effect);
  const write = (text) => { field.write(text); show(); };
  /** Whether the field shows a value that was written: a number needs its unit, a word is one of those to choose from. */
  const shows = (text) => field.parts.every((each) => !each || each.type === 'checkbox' || each.value !== '') && (control.form !== 'truth' || ['true', 'false'].includes(text));
  return { element, path: control.path, group: control.group, first: control.first, value, write, shows, complain, effect, refused: () => refusedBy(field.parts) };
}

/** Sites, each to be left out. */
function sitesElement(sites, changed) {
  const boxes = sites.map((site) => {
    const id = idOf('site', site.name);
    const box = el('input', { type: 'checkbox', id, on: { change: changed } });
    box.checked = site.no_match === '';
    box.disabled = site.no_match !== '';
    return { site, box, element: el('label', { for: id }, box, ` ${site.name}${site.gpu ? ` (${site.gpu})` : ''}`, site.no_match ? el('span', { class: 'note' }, ` cannot run these jobs: ${site.no_match}`) : null) };
  });
  return {
    element: el('div', { class: 'control sites' }, el('p', { class: 'hint' }, 'Sites that jobs may run at (match.requirements of the strategy)'), boxes.map(({ element }) => el('div', {}, element))),
    leave_out: (resources) => boxes.forEach(({ site, box }) => { if (resources.includes(site.resource)) box.checked = false; }),
    left_out: () => boxes.filter(({ box }) => !box.checked && !box.disabled).map(({ site }) => site.resource),
  };
}

function groupElement(title, elements) {
  return el('fieldset', { class: 'group' }, el('legend', {}, title), elements);
}

/** The control that a complaint names, by its path or the last part of it. */
function namedIn(text, all, turned) {
  const words = new Set(text.split(/[^A-Za-z0-9_.[\]-]+/).map((word) => word.replace(/[.:]+$/, '')));
  const inFull = all.find(({ path }) => text.includes(path));
  const byKey = ({ path }) => words.has(path.split('.').at(-1));
  return inFull ?? turned.find(byKey) ?? all.find((each) => byKey(each) && each.path.startsWith('strategies.'));
}

/**
 * The whole form: a few controls, all others folded below them by their groups.
 * @param {any} about gridcast.controls/1 @param {() => void} changed
 * @param {{path: string, value: string}[]} [start] values to begin with
 */
export function controlsForm(about, changed, start = []) {
  let lastTurned = '';
  const all = about.controls.map((control) => controlElement(control, (path) => { lastTurned = path; changed(); }, Boolean(about.work)));
  const sites = sitesElement(about.sites, () => { lastTurned = requirementsPath; changed(); });
  const requirementsPath = `strategies.${about.strategy}.match.requirements`;
  const names = [...new Set(['campaign', 'sites', ...all.map((each) => each.group)])];
  const others = names.map((group) => {
    const elements = all.filter((each) => each.group === group && !each.first).map((each) => each.element);
    if (group === 'sites') elements.unshift(sites.element);
    return elements.length ? groupElement(groups[group] ?? group, elements) : null;
  });
  const turned = () => all.filter((each) => each.value());
  const lost = start.filter(({ path }) => !all.some((each) => each.path === path));
  all.forEach((each) => {
    const value = start.find(({ path }) => path === each.path)?.value;
    if (value === undefined) return;
    if (each.path !== requirementsPath) {
      each.write(value);
      if (each.shows(value)) return;
      lost.push({ path: each.path, value });
      return void each.write(about.controls.find(({ path }) => path === each.path).value);
    }
    const { own, out } = leftOutIn(value, about.sites.map(({ resource }) => resource));
    sites.leave_out(out);
    each.write(own || !out.length ? own : about.controls.find(({ path }) => path === requirementsPath).value);
  });
  const count = all.filter((each) => !each.first).length;
  const folded = el('details', {}, el('summary', {}, `All other settings (${count})`), others);
  if (turned().some((each) => !each.first) || sites.left_out().length) folded.open = true;
  return {
    element: el('form', { class: 'controls', on: { submit: (event) => event.preventDefault() } }, all.filter((each) => each.first).map((each) => each.element), folded),
    /** Values to begin with that no field shows. */
    lost: () => lost.map(({ path, value }) => `${path}=${value}`),
    /** Whether all fields have values that can be asked about. */
    valid: () => all.every((each) => !each.refused()),
    /** Beside the field that it is about. @param {string} text empty: nothing is wrong */
    complain(text) {
      all.forEach((each) => { if (!each.refused()) each.complain(''); });
      if (!text) return false;
      const named = namedIn(text, all, turned()) ?? all.find(({ path }) => path === lastTurned);
      const own = named?.element.checkVisibility() ? named : all.find(({ path }) => path === lastTurned) ?? named;
      own?.complain(text);
      return Boolean(own);
    },
    /** @param {Record<string, string>} reasons by path */
    effects(reasons) {
      all.forEach((each) => each.effect(reasons[each.path] ?? ''));
    },
    set() {
      const values = turned().map((each) => ({ path: each.path, value: each.value() }));
      const out = sites.left_out();
      if (out.length === 0) return values;
      const own = values.find((each) => each.path === requirementsPath);
      const stands = own?.value ?? about.controls.find((each) => each.path === requirementsPath)?.value ?? '';
      return [...values.filter((each) => each !== own), { path: requirementsPath, value: withoutSites(out, stands) }];
    },
  };
}
