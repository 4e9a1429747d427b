// Two answers with the same random numbers, compared campaign by campaign. A time is "never" in a campaign in which the
// wanted jobs never succeed: longer than any time, and two of them are equal.

/** @param {number|'never'|null|undefined} value @returns {number|null} */
export const amount = (value) => (value === 'never' ? Infinity : value ?? null);

/** The value of the sample at a share of it. @param {number[]} sorted */
const at = (sorted, share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];

/** @typedef {{numbers: number[], values: Record<string, (number|'never'|null)[]>}} Answer */

/**
 * Of `now` to `last`, of the replicas that both have: the median of the differences and nine tenths of them.
 * @param {Answer} now @param {Answer} last @param {string} figure
 */
export function paired(now, last, figure) {
  const before = new Map(last.numbers.map((number, i) => [number, amount(last.values[figure]?.[i])]));
  const differences = [];
  now.numbers.forEach((number, i) => {
    const [a, b] = [amount(now.values[figure]?.[i]), before.get(number) ?? null];
    if (a !== null && b !== null) differences.push(a === b ? 0 : a - b);
  });
  const n = differences.length;
  if (n === 0) return null;
  const sorted = differences.sort((a, b) => a - b);
  const share = (test) => sorted.filter(test).length / n;
  return { n, middle: at(sorted, 0.5), low: at(sorted, 0.05), high: at(sorted, 0.95), less: share((x) => x < 0), more: share((x) => x > 0) };
}
