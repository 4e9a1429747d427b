// The form of the controls, made from the keys of the scenario.
import { button, el, idOf } from '../dom.js';
import { boundsText, isSimple, sourceText, takenApart, unitsOf, withoutSites } from './values.js';

const groups = {
  campaign: 'The campaign', sites: 'Sites', software: 'Software', transfer: 'Transfers', retry: 'After a failure',
  release: 'Releases of held jobs', match: 'Which slots', limits: 'Limits', checkpoint: 'Checkpoints', training: 'Data',
};

function wordField(control, id, changed) {
  const field = el('select', { id, on: { change: changed } }, control.words.map((word) => el('option', { value: word }, word)));
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

/** One control. @param {import('./values.js').Control} control @param {() => void} changed */
export function controlElement(control, changed) {
  const id = idOf('control', control.path);
  const source = el('span', { class: 'source' });
  const back = button('Back', () => { field.write(control.value); noted(); }, { class: 'quiet', 'aria-label': `Back to the scenario's value: ${control.label}` });
  const field = fieldOf(control, id, () => noted());
  const start = field.read();
  const value = () => (field.read() === start ? null : field.read());
  const element = el('div', { class: 'control', 'data-path': control.path },
    el('label', { for: id }, control.label),
    el('div', { class: 'row' }, field.parts, back),
    el('p', { class: 'hint' }, source, `. ${control.help}${boundsText(control) ? ` (${boundsText(control)})` : ''}`));
  function show() {
    const turned = value() !== null;
    element.classList.toggle('turned', turned);
    source.textContent = turned ? `was ${control.value || control.default || 'not set'}` : `${control.value ? '' : 'not set; '}${sourceText(control)}`;
    back.hidden = !turned;
  }
  function noted() {
    show();
    changed();
  }
  show();
  return { element, path: control.path, group: control.group, front: control.front, value };
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
    left_out: () => boxes.filter(({ box }) => !box.checked && !box.disabled).map(({ site }) => site.resource),
  };
}

function groupElement(title, elements) {
  return el('fieldset', { class: 'group' }, el('legend', {}, title), elements);
}

/**
 * The whole form.
 * @param {any} about gridcast.controls/1 @param {() => void} changed
 * @returns {{element: HTMLElement, set: () => {path: string, value: string}[]}}
 */
export function controlsForm(about, changed) {
  const all = about.controls.map((control) => controlElement(control, changed));
  const sites = sitesElement(about.sites, changed);
  const requirementsPath = `strategies.${about.strategy}.match.requirements`;
  const names = [...new Set(['campaign', 'sites', ...all.map((each) => each.group)])];
  const grouped = (front) => names.map((group) => {
    const elements = all.filter((each) => each.group === group && each.front === front).map((each) => each.element);
    if (group === 'sites' && front) elements.unshift(sites.element);
    return elements.length ? groupElement(groups[group] ?? group, elements) : null;
  });
  return {
    element: el('form', { class: 'controls', on: { submit: (event) => event.preventDefault() } }, grouped(true),
      el('details', {}, el('summary', {}, 'All other keys'), grouped(false))),
    set() {
      const turned = all.map((each) => ({ path: each.path, value: each.value() })).filter((each) => each.value);
      const out = sites.left_out();
      if (out.length === 0) return turned;
      const own = turned.find((each) => each.path === requirementsPath);
      const stands = own?.value ?? about.controls.find((each) => each.path === requirementsPath)?.value ?? '';
      return [...turned.filter((each) => each !== own), { path: requirementsPath, value: JSON.stringify(withoutSites(out, stands)) }];
    },
  };
}
