// Checks the changesets against main, also in a clone that has it as origin/main only.
import { spawnSync } from 'node:child_process';

const commitOf = (ref: string): string =>
  spawnSync('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { encoding: 'utf8' }).stdout;

const base = ['main', 'origin/main'].find((ref) => commitOf(ref) !== '');
if (base === undefined) {
  console.log('This clone has no main to compare with: changesets are not checked.');
} else {
  const since = commitOf('HEAD') === commitOf('main') ? [] : [`--since=${base}`];
  const { status } = spawnSync('pnpm', ['exec', 'changeset', 'status', ...since], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
