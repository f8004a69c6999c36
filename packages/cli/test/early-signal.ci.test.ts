import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start, temporaryFolder } from './command.ts';
import type { Ended, Running } from './command.ts';
import { buildersOf } from './kill-trials.ts';

const simulator = fileURLToPath(
  new URL('../../native/build/release/Release/libtrtscope_simulator_tensorrt-rtx-1.7.so', import.meta.url),
);
const trials = 15;
const folder = temporaryFolder();
const model = join(folder.path, 'm.onnx');
const args = [
  'build',
  model,
  '-o',
  join(folder.path, 'm.engine'),
  '--tensorrt',
  simulator,
  '--grace',
  '100ms',
];
// About how long it takes the command to heed signals, which it does once it has started its builder.
let heedsAfterMs: number;

function startInGroup(mark: string = randomUUID()): Running {
  const env = { TRTSCOPE_TEST_MARK: mark };
  return start([...args, '--progress', 'json'], { env, detached: true });
}

/** Starts a command that leads a process group, as a shell's commands do, and signals to all of the group after a while. */
async function signalled(signal: NodeJS.Signals, afterMs: number): Promise<Ended & { left: unknown[] }> {
  const mark = randomUUID();
  const { child, ended } = startInGroup(mark);
  await passing(afterMs);
  process.kill(-(child.pid ?? 0), signal);
  const end = await ended;
  return { ...end, left: [...buildersOf(mark), ...readdirSync(folder.path)] };
}

beforeAll(async () => {
  writeFileSync(model, ['trtscope simulator 1', 'build', 'phase 1 Measuring', 'pause 60000'].join('\n'));
  const begun = performance.now();
  const { child, said, ended } = startInGroup();
  await said('"build.started"');
  heedsAfterMs = performance.now() - begun;
  child.kill('SIGINT');
  await ended;
});
afterAll(() => {
  folder.remove();
});

// A command that does not heed signals yet dies of one, as every process does.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a build that gets %s with its whole process group in its first moments is cancelled, never failed',
  async (signal) => {
    const ends = { cancelled: 0, died: 0 };
    for (let trial = 0; trial < trials; trial += 1) {
      const end = await signalled(signal, Math.max(0, heedsAfterMs + randomInt(-40, 40)));
      expect(end.left).toEqual(['m.onnx']);
      if (end.signal === null) {
        expect(end).toMatchObject({ code: 128 + constants.signals[signal] });
        expect(end.stdout).toContain('"outcome":"cancelled"');
        ends.cancelled += 1;
        heedsAfterMs -= 5;
      } else {
        expect(end).toMatchObject({ signal, stdout: '', stderr: '' });
        ends.died += 1;
        heedsAfterMs += 5;
      }
    }
    console.log(`${trials} times ${signal}:`, ends);
    expect(ends.cancelled).toBeGreaterThan(0);
  },
);
