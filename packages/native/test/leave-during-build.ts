import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import type { Isolation } from '../src/build-options.ts';
import { isRunning } from './running.ts';
import { temporaryFolder } from './temporary-folder.ts';

const silent = /^$/;

/** How exit-child.ts can leave, and what its parent must then see. */
const ends = {
  exit: { end: [7, null], complaints: silent },
  throw: { end: [1, null], complaints: /Error: thrown on purpose/ },
  SIGINT: { end: [null, 'SIGINT'], complaints: silent },
  SIGTERM: { end: [null, 'SIGTERM'], complaints: silent },
  'exit of the worker': { end: [0, null], complaints: silent },
  terminate: { end: [0, null], complaints: silent },
  'exit of the main thread': { end: [7, null], complaints: silent },
};

export type WayToLeave = keyof typeof ends;

export const waysToLeave = Object.keys(ends) as readonly WayToLeave[];

export const momentsToLeave = [
  'begin',
  'load',
  'loaded',
  'parse',
  'step',
  'long step',
  'tail',
  'write',
  'end',
] as const;

/** Defines the test that a process leaves a real build in that way at that moment as it would without a build. */
export function itLeaves(
  isolation: Isolation,
  how: WayToLeave,
  moment: (typeof momentsToLeave)[number],
): void {
  it(`a process that leaves by ${how} at "${moment}" neither crashes nor hangs`, async () => {
    const folder = temporaryFolder();
    const script = fileURLToPath(new URL('exit-child.ts', import.meta.url));
    const child = spawn(process.execPath, [script, isolation, how, moment, folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const [pid, complaints, end] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    const expected = ends[how];
    expect(end).toEqual(expected.end);
    expect(complaints).toMatch(expected.complaints);
    await vi.waitUntil(() => !isRunning(Number(pid)), 2000);
    // A signal leaves a process no time to tidy up, but the builder has it.
    const untidy = isolation === 'thread' && how.startsWith('SIG');
    const left = readdirSync(folder).filter((name) => !untidy || !name.endsWith('.trtscope-tmp'));
    expect(['', 'out.engine']).toContain(left.join());
  });
}
