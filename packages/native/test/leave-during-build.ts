import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** How exit-child.ts can leave, and what its parent must then see. */
const ends = {
  exit: [7, null],
  throw: [1, null],
  interrupt: [null, 'SIGINT'],
  'exit of the worker': [0, null],
  terminate: [0, null],
  'exit of the main thread': [7, null],
} as const;

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
export function itLeaves(how: WayToLeave, moment: (typeof momentsToLeave)[number]): void {
  it(`a process that leaves by ${how} at "${moment}" neither crashes nor hangs`, async () => {
    const folder = temporaryFolder();
    const script = fileURLToPath(new URL('exit-child.ts', import.meta.url));
    const child = spawn(process.execPath, [script, how, moment, folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const [complaints, end] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ end, complaints }).toEqual({
      end: [...ends[how]],
      complaints: how === 'throw' ? expect.stringContaining('Error: thrown on purpose') : '',
    });
    // A signal leaves no time to tidy up.
    if (how !== 'interrupt') expect(['', 'out.engine']).toContain(readdirSync(folder).join());
  });
}
