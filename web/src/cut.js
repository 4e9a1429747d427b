// Long labels where there is little room: cut at the end, or in the middle where their beginnings are
// alike, so that those that differ still do.

const gap = '…';

/** @param {string[]} letters @param {number} most @param {number} head letters of its beginning */
function middleOut(letters, most, head) {
  const tail = most - 1 - head;
  return [...letters.slice(0, head), gap, ...(tail > 0 ? letters.slice(-tail) : [])].join('');
}

/** Its cuts, the one that is read best first. @param {string} label @param {number} most */
function* cutsOf(label, most) {
  const letters = [...label];
  const half = Math.ceil((most - 1) / 2);
  for (let head = half; head >= 0; head -= 1) yield middleOut(letters, most, head);
  for (let head = half + 1; head < most; head += 1) yield middleOut(letters, most, head);
  for (let at = 1; at + most <= letters.length + 1; at += 1) yield `${gap}${letters.slice(at, at + most - 2).join('')}${gap}`;
  for (let n = 2; ; n += 1) yield `${letters.slice(0, Math.max(1, most - 2)).join('')}${gap}${n}`;
}

/**
 * Each label with its shown part.
 * @param {string[]} labels @param {number} most letters
 * @returns {Map<string, string>}
 */
export function cutLabels(labels, most) {
  const all = [...new Set(labels)];
  const short = all.filter((label) => [...label].length <= most);
  const cuts = new Map(short.map((label) => [label, label]));
  const taken = new Set(short);
  const beginning = (label) => middleOut([...label], most, most - 1);
  const alike = new Map();
  for (const label of all) if (!cuts.has(label)) alike.set(beginning(label), (alike.get(beginning(label)) ?? 0) + 1);
  for (const label of all) {
    if (cuts.has(label)) continue;
    if (alike.get(beginning(label)) === 1 && !taken.has(beginning(label))) {
      taken.add(beginning(label));
      cuts.set(label, beginning(label));
      continue;
    }
    for (const cut of cutsOf(label, most)) {
      if (taken.has(cut)) continue;
      taken.add(cut);
      cuts.set(label, cut);
      break;
    }
  }
  return cuts;
}
