import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Holding } from './many-builds.ts';
import { simulate } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = fileURLToPath(new URL('many-builds.ts', import.meta.url));
// Every build syncs its engine, which costs nothing there.
const memory = existsSync('/dev/shm') ? '/dev/shm' : undefined;
const script = ['build', 'phase 2 Building engine', 'steps 2'];

// What may grow is code that V8 makes faster and pages that are broken up, which weigh less the more builds there are.
test.each([
  { count: 10_000, isolation: 'thread', heapBytes: 64, residentBytes: 1024 },
  { count: 1000, isolation: 'process', heapBytes: 1024, residentBytes: 8192 },
])('$count builds in a row in a $isolation on one signal leave nothing behind', async (limits) => {
  const { count, isolation, heapBytes, residentBytes } = limits;
  const folder = temporaryFolder(memory);
  const options = JSON.stringify({ ...simulate({ folder, script }), isolation });
  const args = ['--expose-gc', program, options, `${count}`, `${count / 20}`];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const later = (JSON.parse(stdout) as Holding[]).slice(-10);
  console.table(later);
  const grown = (field: keyof Holding) => slope(later.map((holding) => [holding.builds, holding[field]]));
  expect(later.at(-1)?.builds).toBe(count);
  const changing = (['listeners', 'threads', 'files'] as const).filter(
    (field) => new Set(later.map((holding) => holding[field])).size > 1,
  );
  expect(changing).toEqual([]);
  expect(grown('heapBytes'), 'bytes of heap for each build').toBeLessThan(heapBytes);
  expect(grown('residentBytes'), 'bytes of memory for each build').toBeLessThan(residentBytes);
  expect(readdirSync(folder).toSorted()).toEqual(['model.engine', 'model.onnx']);
});

/** Of the straight line that lies nearest to these points. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  return (
    mean(points.map(([x, y]) => (x - meanX) * (y - meanY))) / mean(points.map(([x]) => (x - meanX) ** 2))
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
