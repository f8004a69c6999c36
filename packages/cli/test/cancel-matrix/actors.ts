import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as passing } from 'node:timers/promises';
import type { BuildResult } from '@trtscope/core';
import { createReporter } from '@trtscope/core/reporters';
import { startEngineBuild } from '@trtscope/native';
import type { EngineBuildOptions } from '@trtscope/native';
import { start } from '../command.ts';
import { optionsOf, stdinLine, touchStop } from './sources.ts';
import type { Scene } from './sources.ts';

type Files = Pick<EngineBuildOptions, 'model' | 'output' | 'tensorrt'>;

/** What is left of a build when all of it has ended. */
export interface Ended {
  /** Of a command. */
  readonly exit?: { readonly code: number | null; readonly signal: NodeJS.Signals | null };
  /** What a person reads. */
  readonly text: string;
  /** Absent when no build was started. */
  readonly result?: BuildResult;
}

/** A build that is under way. */
export interface Actor {
  readonly ended: Promise<Ended>;
  /** Resolves when a person has read that. */
  said(text: string): Promise<void>;
  /** Resolves when the build has its result; nobody has read of it by then. */
  over(): Promise<void>;
  ask(): void;
  /** What was said meanwhile is read. */
  readOn(): void;
}

/** Begins to build: by the command, or with an AbortSignal in this program. */
export function act(scene: Scene, files: Files): Actor {
  return scene.source === 'AbortSignal' ? runProgram(scene, files) : runCommand(scene, files);
}

// Its stderr is not read until `readOn` when the moment is after the end.
function runCommand(scene: Scene, { model, output, tensorrt }: Files): Actor {
  const { source, moment, isolation, folder, graceMs } = scene;
  const resultPath = join(folder, 'result.json');
  const args = ['build', model, '-o', output, ...(tensorrt === undefined ? [] : ['--tensorrt', tensorrt])];
  args.push('--isolation', isolation, '--grace', `${graceMs}ms`, '--result', resultPath);
  if (moment === 'after the end') args.push('--verbose');
  // Starting so many commands costs half as much when Node.js keeps what it compiles.
  const env = { NODE_COMPILE_CACHE: join(dirname(folder), 'compiled') };
  const command = start([...args, ...optionsOf(scene)], { stdin: 'pipe', env });
  const { child } = command;
  if (moment === 'after the end') child.stderr?.pause();
  child.stdin?.on('error', () => undefined); // It may have ended.
  return {
    said: command.said,
    ended: command.ended.then(({ code, signal, stderr }) => {
      child.stdin?.destroy();
      const result = existsSync(resultPath)
        ? (JSON.parse(readFileSync(resultPath, 'utf8')) as BuildResult)
        : undefined;
      return { exit: { code, signal }, text: stderr, ...(result !== undefined && { result }) };
    }),
    over: async () => {
      while (!existsSync(resultPath) && child.exitCode === null) await passing(10);
    },
    ask: () => {
      if (source === 'SIGINT') child.kill('SIGINT');
      if (source === 'stdin') child.stdin?.write(`${stdinLine}\n`);
      if (source === 'file') touchStop(folder);
    },
    readOn: () => {
      child.stderr?.resume();
    },
  };
}

function runProgram({ moment, isolation, graceMs }: Scene, files: Files): Actor {
  const aborts = new AbortController();
  if (moment === 'before start') aborts.abort();
  const build = startEngineBuild({ ...files, isolation, graceMs }, { signal: aborts.signal });
  let text = '';
  const waiting = new Set<() => void>();
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      text += chunk.toString();
      for (const look of waiting) look();
      done();
    },
  });
  const reporter = createReporter('plain', build, { stream, env: {} });
  const shown = reporter && build.attach(reporter);
  return {
    ended: build.result.then(async (result) => {
      await shown?.closed;
      return { text, result };
    }),
    said: (words) =>
      new Promise((resolve) => {
        const look = () => {
          if (text.includes(words)) resolve();
        };
        waiting.add(look);
        look();
      }),
    over: async () => {
      await build.result;
    },
    ask: () => aborts.abort(),
    readOn: () => undefined,
  };
}
