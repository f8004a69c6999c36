const units = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A duration for people: `300 ms`, `1.5 s`, `5 min`, `2.25 h`. */
export function formatDuration(ms: number): string {
  const [unit, size] = units.find(([, least]) => ms >= least) ?? ['ms', 1];
  return `${Math.round((ms / size) * 100) / 100} ${unit}`;
}
