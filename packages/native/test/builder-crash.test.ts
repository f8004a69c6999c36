import { describe, expect, test } from 'vitest';
import { crashFacts, wasStopped } from '../src/builder-crash.ts';
import type { Crash } from '../src/builder-crash.ts';

const crash: Crash = {
  exit: { code: null, signal: 'SIGKILL' },
  path: '/opt/trtscope-builder',
  outOfMemory: false,
  openPath: ['Building engine', 'Timing tactics'],
  errorLines: [],
  errorWords: '',
};

describe('crashFacts', () => {
  test('a kill by the kernel for want of memory is told as that', () => {
    expect(crashFacts({ ...crash, outOfMemory: true })).toEqual({
      code: 'BUILDER_CRASHED',
      message:
        'The builder process ran out of memory and was ended by SIGKILL from the kernel in the phase "Timing tactics"; ' +
        'give it more memory, or the build less with memPoolSize.',
      phasePath: ['Building engine', 'Timing tactics'],
    });
  });

  test.each([
    { errorLines: ['Error Code 2: OutOfMemory (Requested size was 123 bytes.)', 'later'] },
    { errorLines: ['Error Code 1: Cuda Runtime (out of memory)'] },
    { errorWords: "terminate called after throwing an instance of 'std::bad_alloc'" },
  ])('a crash after %j is for want of memory too', (said) => {
    const exit = { code: null, signal: 'SIGABRT' } as const;
    expect(crashFacts({ ...crash, exit, ...said }).message).toMatch(
      /^The builder process ran out of memory and was ended by SIGABRT in the phase "Timing tactics"; give it more/,
    );
    expect(crashFacts({ ...crash, exit: { code: 1, signal: null }, ...said }).message).toMatch(
      /^The builder process ran out of memory and exited with code 1 before/,
    );
  });

  test('a crash while the kernel killed another process is not for want of memory', () => {
    const exit = { code: null, signal: 'SIGSEGV' } as const;
    expect(crashFacts({ ...crash, exit, outOfMemory: true }).message).toContain(
      'was ended by SIGSEGV in the phase',
    );
  });

  test('a kill that nobody accounts for names both who may have done it', () => {
    expect(crashFacts(crash).message).toContain(
      'was ended by SIGKILL in the phase "Timing tactics"; somebody killed it',
    );
  });

  test('a crash before any phase has no path', () => {
    const facts = crashFacts({
      ...crash,
      exit: { code: 127, signal: null },
      openPath: [],
      errorWords: 'a\nb',
    });
    expect(facts).toEqual({
      code: 'BUILDER_CRASHED',
      message:
        'The builder process exited with code 127 before the build had ended; the log lines before may say why. Its last words: a | b',
    });
  });

  test('only the last of many last words are told', () => {
    const errorWords = Array.from({ length: 9 }, (_, at) => `line ${at}`).join('\n');
    expect(crashFacts({ ...crash, errorWords }).message).toMatch(
      /words: line 4 \| line 5 \| line 6 \| line 7 \| line 8$/,
    );
  });
});

describe('wasStopped', () => {
  test.each([
    [{ code: null, signal: 'SIGKILL' }, undefined, false],
    [{ code: null, signal: 'SIGTERM' }, 'ask', true],
    [{ code: 0, signal: null }, 'ask', true],
    [{ code: 3, signal: null }, 'ask', false],
    [{ code: null, signal: 'SIGSEGV' }, 'ask', false],
    [{ code: null, signal: 'SIGKILL' }, 'ask', false],
    [{ code: null, signal: 'SIGSEGV' }, 'terminate', true],
    [{ code: null, signal: 'SIGKILL' }, 'kill', true],
    [{ code: null, signal: null, refused: new Error('EACCES') }, 'kill', false],
  ] as const)('%j after %s: %s', (exit, rung, stopped) => {
    expect(wasStopped(exit, rung)).toBe(stopped);
  });
});
