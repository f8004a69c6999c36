import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { checkout } from './folders.mjs';
import { isAlive } from './lock.mjs';
import { Problem } from './problem.mjs';
import { timed } from './progress.mjs';
import { removeUnlessFinished, runCaptured } from './run.mjs';

const dayMs = 24 * 60 * 60 * 1000;
const manifests = ['package.json', 'package-lock.json'].map((name) =>
  join(checkout, 'scripts/toolchain', name),
);

/** Brings the pinned Node and pnpm into the cache where they are missing. */
export async function bringToolchain({ cache, environment }) {
  const hash = createHash('sha256')
    .update(readFileSync(manifests[1]))
    .update(process.arch)
    .digest('hex')
    .slice(0, 12);
  const toolchain = join(cache, `toolchain-${hash}`);
  if (!existsSync(toolchain)) {
    sweepLeftovers(cache);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifests[0], 'utf8'));
    const node = optionalDependencies[`node-linux-${process.arch}`];
    const what = `Node ${node} and pnpm ${dependencies.pnpm}`;
    await timed(`bringing ${what} from the npm registry into ${cache}`, () =>
      install(toolchain, what, environment),
    );
  }
  const modules = join(toolchain, 'node_modules');
  const bins = [
    join(modules, `node-linux-${process.arch}/bin`),
    join(modules, `@pnpm/exe.linux-${process.arch}`),
  ];
  return {
    node: join(bins[0], 'node'),
    environment: { ...environment, PATH: [...bins, environment.PATH].join(delimiter) },
  };
}

/** Into a folder beside it, then renamed: the toolchain is absent or whole, and of two at once one wins. */
async function install(toolchain, what, environment) {
  const temporary = mkdtempSync(`${toolchain}.${hostname()}.${process.pid}.`);
  const unfinished = removeUnlessFinished(temporary);
  for (const manifest of manifests) copyFileSync(manifest, join(temporary, manifest.split('/').at(-1)));
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=optional',
    '--fetch-retries=1',
    '--no-audit',
    '--no-fund',
  ];
  const { code, output } = await runCaptured(
    npm[0],
    [...npm.slice(1), ...args, '--no-update-notifier', '--loglevel=error'],
    { cwd: temporary, env: environment },
  ).catch((error) => ({ code: 127, output: error.message }));
  if (code !== 0) {
    throw new Problem(
      `npm could not bring ${what}: ${npmsReason(output)}. Check the network and npm's registry, then start again.`,
    );
  }
  try {
    renameSync(temporary, toolchain);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  unfinished.finished();
}

function npmsReason(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  const reason = lines.find((line) => /request to .* failed|integrity|certificate/i.test(line));
  return (reason ?? lines.find((line) => line !== '') ?? 'it gave no reason').replace(/\.$/, '');
}

/** What runs that were killed left behind. */
function sweepLeftovers(cache) {
  for (const name of readdirSync(cache)) {
    const match = /^toolchain-[0-9a-f]+\.(.+)\.(\d+)\.[^.]+$/.exec(name);
    if (!match) continue;
    const folder = join(cache, name);
    const [, host, pid] = match;
    if (host === hostname() ? !isAlive(Number(pid)) : Date.now() - statSync(folder).mtimeMs > dayMs) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
