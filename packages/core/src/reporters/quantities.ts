/** Nanoseconds for people, at most six characters below a hundred hours: `12 ms`, `4.2 s`, `58 s`, `2m 05s`, `1h 02m`. */
export function durationText(ns: number): string {
  const ms = Math.max(0, ns) / 1e6;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  return secondsText(Math.round(ms / 1000));
}

/** Whole seconds that have passed, for what still runs: `0 s`, `58 s`, `2m 05s`. */
export function elapsedText(ns: number): string {
  return secondsText(Math.floor(Math.max(0, ns) / 1e9));
}

/** Bytes for people, in powers of 1,000: `812 B`, `98.3 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

function secondsText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
}
