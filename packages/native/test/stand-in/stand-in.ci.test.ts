import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeEvents } from '@trtscope/core';
import type { BuildEvent } from '@trtscope/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCommand } from '../../src/hook/command-run.ts';
import { headersOf, includesOf } from '../abi/nvidia-headers.ts';
import { logOf } from '../recorded-build.ts';
import { refusingClasses } from './refusing-classes.ts';

const cpp = join(import.meta.dirname, '../../cpp');
const scratch = mkdtempSync(join(tmpdir(), 'trtscope-stand-in-'));
const driver = join(scratch, 'driver');

beforeAll(() => {
  const rooms = globSync(['abi', 'monitor', 'wire'].map((room) => join(cpp, room, '*.cc')));
  compile(['-I', cpp, '-pthread', '-o', driver, join(import.meta.dirname, 'driver.cc'), ...rooms, '-ldl']);
});
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

// The versions that no registry offers as a library, and one that a registry does.
describe.each([
  {
    version: 'TRT-Enterprise-10.16',
    crate: '0.5.0',
    tells: /^10\.16\.\d+$/u,
    logger: 'ILogger without a version',
    versionCompatible: 13,
  },
  {
    version: 'TRT-RTX-1.4',
    crate: '0.5.0',
    tells: /^1\.4\.\d+$/u,
    logger: 'ILogger without a version',
    versionCompatible: 13,
  },
  {
    version: 'TRT-Enterprise-11.4',
    crate: '0.9.1',
    tells: /^11\.4\.\d+$/u,
    logger: 'ILogger 1.0 in language 0',
    versionCompatible: 12,
  },
] as const)("NVIDIA's own classes of $version", ({ version, crate, tells, logger, versionCompatible }) => {
  const library = join(scratch, `${version}.so`);
  const settings = [
    'setMaxThreads 3',
    `setFlag ${versionCompatible}`,
    'clearFlag 6',
    'setProfilingVerbosity 2',
    'setMemoryPoolLimit 5 640',
    'setBuilderOptimizationLevel 4',
    'setMaxAuxStreams 2',
    'setMaxNbTactics 9',
    logger,
    'IErrorRecorder 1.0 in language 0',
    'IProgressMonitor 1.0 in language 0',
  ];
  const deletions = ['the config is deleted', 'the builder is deleted'];

  beforeAll(() => {
    const headers = headersOf(crate);
    const text = readFileSync(join(headers, version, 'NvInferImpl.h'), 'utf8');
    const classes = refusingClasses(text, ['VBuilder', 'VBuilderConfig', 'VHostMemory']);
    const folder = mkdtempSync(join(scratch, 'generated-'));
    writeFileSync(join(folder, 'refusing_classes.h'), classes);
    const source = join(import.meta.dirname, 'stand_in.cc');
    const includes = ['-I', folder, ...includesOf(headers, version)];
    compile([...includes, '-fPIC', '-shared', '-fvisibility=hidden', '-o', library, source]);
  });

  test('take our settings, and are heard by our logger and monitor', () => {
    const events = drive(library);
    expect(events[0]).toMatchObject({
      type: 'tensorrt.loaded',
      version: expect.stringMatching(tells) as unknown,
    });
    expect(logOf(events, 'tensorrt')).toEqual([...settings, ...deletions]);
    expect(logOf(events, 'trtscope')).toEqual(['engine: an engine of nothing']);
    expect(progressOf(events)).toEqual([
      'Building engine of 2',
      'Timing tactics of 3 in phase 1',
      '1 done',
      '2 done',
      '3 done',
      '3 at the end',
      '0 at the end',
    ]);
  });

  test('hear our no, and use our error recorder', () => {
    const events = drive(library, 'cancel');
    expect(logOf(events, 'tensorrt')).toEqual([
      ...settings,
      'incRefCount 1',
      'canceled',
      'reportError 0',
      'getNbErrors 1',
      'getErrorCode 7',
      'getErrorDesc canceled',
      'hasOverflowed 0',
      'decRefCount 1',
      ...deletions,
    ]);
    expect(logOf(events, 'trtscope')).toEqual(['engine: ']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'log', message: 'canceled', code: 7 }));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'cancel.acknowledged', by: 'step', step: 0 }),
    );
    expect(progressOf(events)).toContain('1 at the end');
  });

  test('are watched in a program that knows nothing of us, which hears and says what it would without', async () => {
    const output = join(scratch, 'said.jsonl');
    const command = ['sh', '-c', 'exec "$0" "$1" > "$2"', driver, library, output];
    const run = await startCommand(command);
    const { exitCode, builds } = await run.result;
    expect(exitCode).toBe(0);
    const tensorrt = { version: expect.stringMatching(tells) as unknown, path: library };
    expect(builds).toMatchObject([
      { outcome: 'built', tensorrt, counts: { phases: 2, steps: 3 }, strays: 0 },
    ]);
    const [events, unwatched] = [decodeEvents(readFileSync(output, 'utf8')), drive(library)];
    expect(withoutTimes(events)).toEqual(withoutTimes(unwatched));
  });
});

function compile(words: readonly string[]): void {
  execFileSync('c++', ['-std=c++20', '-Wno-deprecated-declarations', ...words], { stdio: 'pipe' });
}

function drive(library: string, ...words: readonly string[]): BuildEvent[] {
  return decodeEvents(execFileSync(driver, [library, ...words], { encoding: 'utf8' }));
}

/** What it said that is the same each time. */
function withoutTimes(events: readonly BuildEvent[]) {
  return [logOf(events, 'tensorrt'), logOf(events, 'trtscope'), progressOf(events)];
}

function progressOf(events: readonly BuildEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'step.completed') return [`${event.done} done`];
    if (event.type === 'phase.finished') return [`${event.done} at the end`];
    if (event.type !== 'phase.started') return [];
    return [
      `${event.name} of ${event.steps}${event.parent === undefined ? '' : ` in phase ${event.parent}`}`,
    ];
  });
}
