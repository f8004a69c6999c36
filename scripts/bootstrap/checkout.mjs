import { accessSync, constants, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { checkout } from './folders.mjs';
import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { timed } from './progress.mjs';
import { runCaptured } from './run.mjs';
import { nativeBuild, nativeStamp, packagesStamp } from './stamps.mjs';

const state = join(checkout, '.trtscope');

/** Nothing is left to install or to compile. */
export function isPrepared({ compile }) {
  return packagesStamp.isFresh() && (!compile || nativeStamp.isFresh());
}

export function requireWritableCheckout() {
  try {
    accessSync(checkout, constants.W_OK);
    mkdirSync(state, { recursive: true });
  } catch (error) {
    throw new Problem(
      `the checkout ${checkout} cannot be written to (${error.code}); clone it into a folder of yours.`,
    );
  }
}

/** Installs the packages and compiles the native one, where they are not what the sources ask for. */
export async function prepareCheckout({ environment, node, compile }) {
  const startedAt = new Date();
  if (!isPrepared({ compile })) {
    await withLock(state, async () => {
      if (!packagesStamp.isFresh()) await installPackages(environment);
      if (compile && !nativeStamp.isFresh()) await compileNative(environment);
    });
  }
  if (compile) markReady(node, startedAt);
}

async function installPackages(environment) {
  const hash = packagesStamp.currentHash();
  const args = [
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
    '--config.confirmModulesPurge=false',
  ];
  await timed('installing packages', () =>
    succeed('pnpm', args, environment, 'the packages could not be installed; see above why'),
  );
  packagesStamp.mark(hash);
}

async function compileNative(environment) {
  const hash = nativeStamp.currentHash();
  const env = { CMAKE_BUILD_PARALLEL_LEVEL: String(cpus().length), ...environment };
  const builtBefore = existsSync(nativeBuild);
  const compile = () =>
    succeed('pnpm', ['run', 'build:native'], env, 'the native package could not be compiled; see above why');
  await timed('compiling the native package, which takes a minute', () =>
    compile().catch((error) => {
      if (!builtBefore) throw error;
      // What is there may be of another compiler, or of another place on disk.
      rmSync(nativeBuild, { recursive: true, force: true });
      return compile();
    }),
  );
  nativeStamp.mark(hash);
}

async function succeed(command, args, env, complaint) {
  const { code, output } = await runCaptured(command, args, { cwd: checkout, env });
  if (code !== 0) throw new Problem(`${complaint}.`, output);
}

/** Lets `./trtscope` start without us until something is newer than this file. */
function markReady(node, startedAt) {
  try {
    const ready = join(state, 'ready');
    writeFileSync(ready, `${node}\n`);
    utimesSync(ready, startedAt, startedAt);
  } catch {
    // A checkout that became read-only after it was prepared starts a little slower.
  }
}
