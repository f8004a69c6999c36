import { describe, expect, it } from 'vitest';
import { chooseProgress, createReporter } from '../../src/reporters/index.ts';
import type { Environment } from '../../src/reporters/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { Log } from './log.ts';
import { ScriptedBuild } from './scripted-build.ts';

const terminal = Object.assign(new Log(), { isTTY: true });
const pipe = new Log();

describe('auto', () => {
  it.each<readonly [string, Log, Environment, string]>([
    ['a terminal', terminal, {}, 'tty'],
    ['a pipe or file', pipe, {}, 'plain'],
    ['a terminal in CI', terminal, { CI: 'true' }, 'plain'],
    ['a terminal with CI=false', terminal, { CI: 'false' }, 'tty'],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, 'plain'],
  ])('is for %s what suits it', (_, stream, env, expected) => {
    expect(chooseProgress('auto', stream, env)).toBe(expected);
  });
});

describe('tty', () => {
  it('is plain where no escape code may be written', () => {
    expect(chooseProgress('tty', pipe, { FORCE_COLOR: '1' })).toBe('plain');
    expect(chooseProgress('tty', terminal, { TERM: 'dumb' })).toBe('plain');
    expect(chooseProgress('tty', terminal, { CI: '1' })).toBe('tty');
  });
});

describe('createReporter', () => {
  it('makes the reporter of each kind, and none for none', () => {
    const build = new ScriptedBuild(new FakeClock());
    const names = (['auto', 'plain', 'json', 'none'] as const).map(
      (kind) => createReporter(kind, build, { stream: new Log(), env: {} })?.name,
    );
    expect(names).toEqual(['plain', 'plain', 'json', undefined]);
  });
});
