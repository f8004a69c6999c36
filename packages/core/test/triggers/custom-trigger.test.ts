import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { customTrigger } from '../../src/triggers/index.ts';
import type { CustomCancel } from '../../src/triggers/index.ts';
import { WatchedBuild } from './watched-build.ts';

function watched() {
  const build = new WatchedBuild();
  let disposals = 0;
  const given: CustomCancel[] = [];
  const release = customTrigger(build, (cancel) => {
    given.push(cancel);
    return () => {
      disposals += 1;
    };
  });
  return { build, release, cancel: (...words: string[]) => given[0]?.(...words), disposals: () => disposals };
}

describe('customTrigger', () => {
  it('cancels with its own words, and otherwise with ours', () => {
    const { build, cancel } = watched();
    cancel('the disk is nearly full', 'disk');
    cancel();
    expect(build.requests).toEqual([
      { source: 'custom', message: 'the disk is nearly full', detail: 'disk' },
      { source: 'custom', message: 'a trigger of the program cancelled the build' },
    ]);
  });

  it('is disposed once, at the end of the build', async () => {
    const { build, release, disposals } = watched();
    expect(disposals()).toBe(0);
    await build.end();
    release();
    expect(disposals()).toBe(1);
  });

  it('is disposed once when it is taken away before, and asks for nothing any more', async () => {
    const { build, release, cancel, disposals } = watched();
    release();
    cancel('late');
    await build.end();
    expect(disposals()).toBe(1);
    expect(build.requests).toEqual([]);
  });

  it('needs nothing to dispose', async () => {
    const build = new WatchedBuild();
    customTrigger(build, (cancel) => cancel('at once'));
    await build.end();
    expect(build.requests).toMatchObject([{ message: 'at once' }]);
  });

  it('that throws at the start throws', () => {
    expect(() =>
      customTrigger(new WatchedBuild(), () => {
        throw new Error('no such device');
      }),
    ).toThrow('no such device');
  });

  it('that throws when it is disposed does not end the program', async () => {
    const build = new WatchedBuild();
    customTrigger(build, () => () => {
      throw new Error('gone already');
    });
    const warned = once(process, 'warning');
    await build.end();
    expect(await warned).toMatchObject([
      { message: 'A trigger could not be released at the end of its build: Error: gone already' },
    ]);
  });
});
