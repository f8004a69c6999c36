import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkout } from './folders.mjs';
import { findOnPath } from './on-path.mjs';

const native = join(checkout, 'packages/native');
export const nativeBuild = join(native, 'build/release');

/** node_modules is as the lock file wants it. */
export const packagesStamp = stamp('node_modules/.trtscope-stamp', () => {
  const names = ['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(checkout, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  const manifests = [
    ...names.sort(inOrder),
    'test/package.json',
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
  ];
  return hashOf(manifests.map((name) => join(checkout, name)).filter((file) => existsSync(file)));
});

/** The native package is compiled from the sources that are there. */
export const nativeStamp = stamp('packages/native/build/release/.trtscope-stamp', () => {
  const cpp = join(native, 'cpp');
  const headers = join(native, 'node_modules/node-addon-api/package.json');
  if (!existsSync(headers)) return undefined;
  return hashOf([join(native, 'CMakeLists.txt'), headers, ...filesUnder(cpp)], compiler());
});

function stamp(name, currentHash) {
  const file = join(checkout, name);
  return {
    currentHash,
    isFresh: () => existsSync(file) && readFileSync(file, 'utf8') === currentHash(),
    mark: (hash) => writeFileSync(file, hash),
  };
}

function hashOf(files, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const file of files)
    hash.update(relative(checkout, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => inOrder(a.name, b.name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

function inOrder(a, b) {
  return a < b ? -1 : 1;
}

function compiler() {
  const file = findOnPath(process.env.CXX || 'c++');
  return file === undefined ? '' : realpathSync(file);
}
