import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOf, removeLeft, temporariesOf } from '../src/temporaries.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('temporaries are named after their target, their process and the moment that the build began', () => {
  const writer = { pid: 4711, originNs: 123_456_789_012_345n };
  expect(temporariesOf(['/out/m.engine', undefined, 'm.cache'], writer)).toEqual([
    '/out/.m.engine.4711.17rf9km92x.trtscope-tmp',
    '.m.cache.4711.17rf9km92x.trtscope-tmp',
  ]);
});

test('what is left is removed, what is not there is not told, and what cannot be removed is no fault', () => {
  const folder = temporaryFolder();
  const [left, folderInstead] = [join(folder, 'left'), join(folder, 'folder')];
  writeFileSync(left, '');
  mkdirSync(folderInstead);
  expect(removeLeft([join(folder, 'none'), left, folderInstead, join(folder, 'no/folder')])).toEqual([left]);
  expect(readdirSync(folder)).toEqual(['folder']);
});

test('a file that takes the place of another is another', () => {
  const path = join(temporaryFolder(), 'm.engine');
  expect(identityOf(path)).toBeUndefined();
  writeFileSync(path, 'same');
  const before = identityOf(path);
  expect(identityOf(path)).toBe(before);
  writeFileSync(`${path}.new`, 'same');
  renameSync(`${path}.new`, path);
  expect(identityOf(path)).not.toBe(before);
});
