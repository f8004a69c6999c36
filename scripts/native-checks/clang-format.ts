import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../packages/native/src/cache-folder.ts';

const version = '23.1.5';
const program = 'clang_format/data/bin/clang-format';

/** Checks the format of the native code with the one version that everybody has. Answers what went wrong. */
export function clangFormat(): string | undefined {
  const folder = join(cacheFolder(), `clang-format-${version}`);
  if (!existsSync(join(folder, program))) {
    const fault = install(folder);
    if (fault !== undefined) return `clang-format ${version} cannot be installed: ${fault}`;
  }
  const files = globSync('packages/native/cpp/**/*.{h,cc,c}');
  const { status, stderr } = spawnSync(join(folder, program), ['--dry-run', '--Werror', ...files], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `run ${join(folder, program)} -i on the files below\n${stderr}`;
}

function install(folder: string): string | undefined {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(cacheFolder(), { recursive: true });
  const words = `-m pip install -q --no-deps --no-cache-dir --target ${fresh} clang-format==${version}`;
  const { status, stderr, error } = spawnSync('python3', words.split(' '), {
    env: { ...process.env, PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore' },
    encoding: 'utf8',
  });
  if (status !== 0) return error?.message ?? stderr;
  try {
    renameSync(fresh, folder);
  } catch {
    // Another run was first.
    rmSync(fresh, { recursive: true });
  }
  return undefined;
}
