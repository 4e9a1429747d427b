// Two answers with the same random numbers, compared campaign by campaign.

/** Replicas from which the normal interval of a mean is good. */
const enough = 30;

/**
 * Of `now` to `last`, of the replicas that both have.
 * @param {{numbers: number[], values: Record<string, (number|null)[]>}} now
 * @param {{numbers: number[], values: Record<string, (number|null)[]>}} last
 * @param {string} figure
 */
export function paired(now, last, figure) {
  const before = new Map(last.numbers.map((number, i) => [number, last.values[figure]?.[i] ?? null]));
  const differences = [];
  now.numbers.forEach((number, i) => {
    const [a, b] = [now.values[figure]?.[i] ?? null, before.get(number) ?? null];
    if (a !== null && b !== null) differences.push(a - b);
  });
  const n = differences.length;
  if (n === 0) return null;
  const mean = differences.reduce((sum, x) => sum + x, 0) / n;
  const variance = differences.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, n - 1);
  const half = n >= enough ? 1.96 * Math.sqrt(variance / n) : null;
  const share = (test) => differences.filter(test).length / n;
  return { n, mean, low: half === null ? null : mean - half, high: half === null ? null : mean + half, less: share((x) => x < 0), more: share((x) => x > 0) };
}
