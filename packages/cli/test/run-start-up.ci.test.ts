import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cleanEnv } from './command.ts';

const pairs = 50;
const env = cleanEnv();
const hook = fileURLToPath(
  new URL('../../native/build/release/Release/libtrtscope_hook.so', import.meta.url),
);
const watchedEnv = { ...env, LD_PRELOAD: hook, TRTSCOPE_SOCKET: '/nowhere' };

// What is on the path may be a script that starts it.
const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout.trim();

// Printed and not judged: a busy machine says nothing about us.
test.each([
  ['true', ['/bin/true']],
  ['a shell', ['sh', '-c', ':']],
  ['Perl', ['perl', '-e', '1']],
  ['Python', [python, '-c', '']],
  ['Node', [process.execPath, '-e', '']],
])('what the preloaded library costs %s at its start', (name, command) => {
  const differences: number[] = [];
  const plain: number[] = [];
  const watched: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // Each is the first as often as the other.
    const order = pair % 2 === 0 ? [env, watchedEnv] : [watchedEnv, env];
    const [first = 0, second = 0] = order.map((variables) => durationMs(command, variables));
    plain.push(pair % 2 === 0 ? first : second);
    watched.push(pair % 2 === 0 ? second : first);
    differences.push((watched.at(-1) ?? 0) - (plain.at(-1) ?? 0));
  }
  const more = [median(differences), Math.min(...watched) - Math.min(...plain)].map((ms) => ms.toFixed(2));
  console.log(
    `${name}: ${median(plain).toFixed(2)} ms without it; with it ${more[0]} ms more in the median of ${pairs} pairs, ${more[1]} ms between the fastest`,
  );
});

function durationMs([program = '', ...words]: readonly string[], variables: NodeJS.ProcessEnv): number {
  const begun = performance.now();
  const { status } = spawnSync(program, words, { env: variables });
  const tookMs = performance.now() - begun;
  expect(status).toBe(0);
  return tookMs;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
