/** The smallest of these values that at least this share of them does not exceed; undefined of none. */
export function percentile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)];
}
