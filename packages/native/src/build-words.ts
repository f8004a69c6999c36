import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceContext } from '@trtscope/core';
import type { EngineBuildOptions } from './build-options.ts';
import type { BuildFiles } from './check-files.ts';
import { profilesOf } from './profiles.ts';
import { logSeverities } from './validate-options.ts';

/** What a build is told beside its options. */
export interface BuildFrame extends BuildFiles {
  readonly build: string;
  /** CLOCK_MONOTONIC at the build's beginning. */
  readonly originNs: bigint;
  readonly library: string;
  readonly parser: string;
  readonly limits: SourceContext['limits'];
}

/** A checked build as the words of cpp/engine/build_request.h: name, value, name, value, … */
export function buildWords(options: EngineBuildOptions, frame: BuildFrame): string[] {
  const { words, add } = wordList();
  add('build', frame.build);
  add('originNs', frame.originNs);
  add('model', frame.model);
  add('output', frame.output);
  add('library', frame.library);
  add('parser', frame.parser);
  for (const profile of profilesOf(options)) {
    add('profile', '');
    for (const range of profile) {
      for (const kind of ['minShapes', 'optShapes', 'maxShapes'] as const) {
        add(kind, `${range[kind].join('x')} ${range.input}`);
      }
    }
  }
  for (const [pool, bytes] of Object.entries(options.memPoolSize ?? {})) {
    add('memPoolSize', bytes === undefined ? undefined : `${pool} ${bytes}`);
  }
  add('timingCacheFile', frame.timingCacheFile);
  add('builderOptimizationLevel', options.builderOptimizationLevel);
  add(
    'computeCapability',
    ...(options.computeCapabilities ?? []).map((capability) => capability.replace('.', '')),
  );
  add('stronglyTyped', options.stronglyTyped === true ? 1 : undefined);
  add('device', options.device);
  add('staticPlugins', ...(options.staticPlugins ?? []).map(pluginPath));
  add('maxAuxStreams', options.maxAuxStreams);
  add('maxTactics', options.maxTactics);
  add('hardwareCompatibilityLevel', options.hardwareCompatibilityLevel);
  add('profilingVerbosity', options.profilingVerbosity);
  add('flag', ...(options.flags ?? []));
  add('maxThreads', options.maxThreads);
  add(
    'logSeverity',
    options.logSeverity === undefined ? undefined : logSeverities.indexOf(options.logSeverity),
  );
  add('monitor', options.monitor === false ? 0 : undefined);
  add('graceNs', nanoseconds(options.graceMs));
  return [...words, ...limitWords(frame.limits)];
}

/** The words of what is watched natively. */
export function limitWords({ deadline, budget = {} }: SourceContext['limits']): string[] {
  const { words, add } = wordList();
  add('deadlineMs', deadline?.getTime());
  add('budgetTotalNs', nanoseconds(budget.totalMs));
  for (const [glob, ms] of Object.entries(budget.phaseMs ?? {})) {
    add('budgetPhaseNs', `${nanoseconds(ms)} ${glob}`);
  }
  add('budgetStepNs', nanoseconds(budget.stepMs));
  add('budgetQuietNs', nanoseconds(budget.quietMs));
  add('warnAt', budget.warnAt);
  add('cancels', budget.onSpent === 'warn' ? 0 : undefined);
  return words;
}

function wordList() {
  const words: string[] = [];
  const add = (name: string, ...values: readonly (string | number | bigint | undefined)[]) => {
    for (const value of values) {
      if (value !== undefined) {
        words.push(name, String(value));
      }
    }
  };
  return { words, add };
}

function nanoseconds(ms: number): number;
function nanoseconds(ms: number | undefined): number | undefined;
function nanoseconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 1e6);
}

// A bare name that is no file here is left to the loader's own search.
function pluginPath(path: string): string {
  return path.includes('/') || existsSync(path) ? resolve(path) : path;
}
