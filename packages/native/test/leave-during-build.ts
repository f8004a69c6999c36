import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const silent = /^$/;
// The whole engine or none, and never a temporary.
const tidy = /^(?:out\.engine)?$/;

/** How exit-child.ts can leave, and what its parent must then see. */
const ends = {
  exit: { end: [7, null], complaints: silent, files: tidy },
  throw: { end: [1, null], complaints: /Error: thrown on purpose/, files: tidy },
  // A signal leaves no time to tidy up.
  interrupt: { end: [null, 'SIGINT'], complaints: silent, files: /^/ },
  'exit of the worker': { end: [0, null], complaints: silent, files: tidy },
  terminate: { end: [0, null], complaints: silent, files: tidy },
  'exit of the main thread': { end: [7, null], complaints: silent, files: tidy },
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
    const expected = ends[how];
    expect(end).toEqual(expected.end);
    expect(complaints).toMatch(expected.complaints);
    expect(readdirSync(folder).join()).toMatch(expected.files);
  });
}
