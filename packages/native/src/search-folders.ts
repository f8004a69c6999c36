import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { pinnedVersions } from './pinned-tensorrt.ts';

/** A folder to look in, and why. */
export interface SearchFolder {
  readonly why: string;
  readonly folder: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Where TensorRT may be, the likeliest first. Lazy: asking python3 takes a tenth of a second, so it comes last. */
export function* searchFolders(env: Env): Generator<SearchFolder> {
  for (const folder of foldersIn(env['LD_LIBRARY_PATH'])) {
    yield { why: 'LD_LIBRARY_PATH', folder };
  }
  yield* inSitePackages(siteFolders(env), 'Python');
  for (const folder of systemFolders()) {
    yield { why: 'the system', folder };
  }
  for (const version of pinnedVersions) {
    const why = 'the cache';
    yield { why, folder: join(cacheFolder(env), `tensorrt-rtx-${version}`, 'tensorrt_rtx_libs') };
  }
  yield* inSitePackages(askPython(env), 'python3');
}

function* inSitePackages(folders: readonly string[], why: string): Generator<SearchFolder> {
  for (const site of folders) {
    for (const name of ['tensorrt_libs', 'tensorrt_rtx_libs']) {
      yield { why, folder: join(site, name) };
    }
  }
}

function foldersIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(/[:;]/)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder));
}

function siteFolders(env: Env): string[] {
  const prefixes = [
    env['VIRTUAL_ENV'],
    env['CONDA_PREFIX'],
    ...pythonPrefixes(env),
    join(homedir(), '.local'),
    '/usr/local',
    '/usr',
  ];
  const libs = prefixes.flatMap((prefix) =>
    prefix === undefined || prefix === '' ? [] : [join(prefix, 'lib')],
  );
  return [...new Set(libs)].flatMap((lib) =>
    namesIn(lib).flatMap((name) =>
      /^python3(\.\d+)?$/.test(name)
        ? [join(lib, name, 'site-packages'), join(lib, name, 'dist-packages')]
        : [],
    ),
  );
}

// A virtual environment's python3 is a link to that of the system.
function pythonPrefixes(env: Env): string[] {
  const python = pathTo('python3', env);
  return python === undefined ? [] : [python, realpathSync(python)].map((path) => dirname(dirname(path)));
}

function pathTo(command: string, env: Env): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

function systemFolders(): string[] {
  const triple = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const versioned = ['/usr/local', '/opt'].flatMap((parent) =>
    namesIn(parent)
      .filter((name) => /^tensorrt/i.test(name))
      .map((name) => join(parent, name, 'lib')),
  );
  return [
    `/usr/lib/${triple}`,
    `/lib/${triple}`,
    '/usr/lib64',
    '/usr/lib',
    '/usr/local/lib',
    '/usr/local/cuda/lib64',
    ...versioned,
  ];
}

// For a python3 that is a shim, such as pyenv's: its packages are not near its path.
function askPython(env: Env): string[] {
  const program =
    'import site,sysconfig;print(chr(10).join([sysconfig.get_paths()["purelib"],*site.getsitepackages()]))';
  const answer = spawnSync('python3', ['-c', program], {
    env,
    encoding: 'utf8',
    timeout: 2000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return answer.status === 0 ? [...new Set(answer.stdout.split('\n').filter((line) => line !== ''))] : [];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
