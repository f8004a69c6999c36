import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileTrigger } from '../../src/triggers/index.ts';
import { WatchedBuild } from './watched-build.ts';

const folders: string[] = [];
const releases: (() => void)[] = [];

afterEach(() => {
  for (const release of releases.splice(0)) release();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function watched(name = 'stop') {
  const folder = mkdtempSync(join(tmpdir(), 'trtscope-trigger-'));
  folders.push(folder);
  const path = join(folder, name);
  const build = new WatchedBuild();
  const place = () => {
    const release = fileTrigger(build, path);
    releases.push(release);
    return release;
  };
  return { folder, path, build, place };
}

describe('fileTrigger', () => {
  it('cancels when the file appears, and leaves it there', async () => {
    const { path, build, place } = watched();
    place();
    writeFileSync(path, '');
    await build.asked;
    expect(build.requests).toEqual([
      { source: 'file', message: `the file "${path}" is there`, detail: path },
    ]);
  });

  it.each<[string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, '')],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to nothing', (path) => symlinkSync('/nowhere', path)],
  ])('cancels for %s that is there already', async (_, make) => {
    const { path, build, place } = watched();
    make(path);
    place();
    await build.asked;
    expect(build.requests).toMatchObject([{ source: 'file' }]);
  });

  it('waits for folders too, and for one that has been away', async () => {
    const { folder, path, build, place } = watched('deep/er/stop');
    place();
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    renameSync(join(folder, 'deep'), join(folder, 'away'));
    writeFileSync(join(folder, 'away/er/stop'), '');
    renameSync(join(folder, 'away'), join(folder, 'deep'));
    await build.asked;
    expect(build.requests).toMatchObject([{ detail: path }]);
  });

  it('keeps looking where the program was when it moves to another folder', async () => {
    const { folder, path, build } = watched();
    const before = process.cwd();
    releases.push(fileTrigger(build, relative(before, path)));
    try {
      process.chdir(folder);
      writeFileSync(path, '');
      await build.asked;
    } finally {
      process.chdir(before);
    }
    expect(build.requests).toMatchObject([{ detail: path }]);
  });

  it.each<[string, (build: WatchedBuild, release: () => void) => unknown]>([
    ['at the end of the build', (build) => build.end()],
    ['when it is taken away', (_, release) => release()],
  ])('looks no more %s', async (_, stop) => {
    const { path, build, place } = watched();
    await stop(build, place());
    const other = new WatchedBuild();
    releases.push(fileTrigger(other, path));
    writeFileSync(path, '');
    await other.asked;
    expect(build.requests).toEqual([]);
  });

  it.each([[''], ['a\0b'], [5 as unknown as string]])('refuses %j', (path) => {
    expect(() => fileTrigger(new WatchedBuild(), path)).toThrow(
      `The path of a file trigger must name a file, but is ${JSON.stringify(path)}.`,
    );
  });
});
