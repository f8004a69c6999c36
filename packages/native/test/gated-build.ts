import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build, BuildResult } from '@trtscope/core';
import type { Isolation } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { record } from './recorded-build.ts';
import { simulate } from './simulator.ts';

/** A simulated build that works until its gate is opened. */
export interface GatedBuild {
  readonly build: Build;
  /** Resolves to the process that it is in when it is at work; to undefined when it never was. */
  readonly pid: Promise<number | undefined>;
  readonly result: Promise<BuildResult>;
  open(): void;
}

/** Starts one whose gate and model are in the folder, and which makes an engine of so many bytes. */
export function gatedBuild(
  folder: string,
  isolation: Isolation,
  bytes = 4096,
  output: string = join(folder, 'model.engine'),
): GatedBuild {
  const gate = join(folder, 'gate');
  const script = ['build', `engine ${bytes}`, 'phase 1 Measuring', `await ${gate}`, 'steps 1'];
  const build = startEngineBuild({ ...simulate({ folder, script }), output, isolation });
  const { promise: pid, resolve } = Promise.withResolvers<number | undefined>();
  let started: number | undefined;
  const recorded = record(build, (event) => {
    if (event.type === 'build.started') started = event.pid;
    if (event.type === 'phase.started' && event.name === 'Measuring') resolve(started);
    if (event.type === 'build.finished') resolve(undefined);
  });
  return {
    build,
    pid,
    result: recorded.then(({ result }) => result),
    open: () => {
      writeFileSync(gate, '');
    },
  };
}
