// pnpm check: all that a change must pass but the tests that build with TensorRT. Every step runs, whatever the ones before said.
//
//   node scripts/check.ts [--without-tests]     where the tests have run already, as in .ci/run
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closingLine } from './closing-line.ts';

const steps: readonly (readonly [name: string, command: string])[] = [
  ['format', 'pnpm run format:check'],
  ['lint', 'pnpm run lint'],
  ['types', 'pnpm run types'],
  ['unused code', 'pnpm run unused'],
  ['links', 'node scripts/links.ts'],
  ['examples in docs and comments', 'node scripts/doc-examples.ts'],
  ...(process.argv.includes('--without-tests') ? [] : [['unit tests', 'node scripts/test.ts unit'] as const]),
  [
    'package builds and their API',
    "pnpm run build && ! git status --porcelain -- 'packages/*/__snapshots__/**' | grep .",
  ],
  ['packed packages', 'node scripts/packed-packages.ts'],
  ['changesets', 'node scripts/changesets.ts'],
  ['examples', 'node scripts/examples.ts'],
];

let failed = 0;
for (const [name, command] of steps) {
  const startedMs = performance.now();
  process.stdout.write(`${name} … `);
  const { code, output } = await run(command);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(code === 0 ? `${seconds} s` : `FAILED after ${seconds} s: ${command}\n${output}`);
  if (code !== 0) failed += 1;
}
console.log(closingLine({ passed: steps.length - failed, failed, skipped: 0 }));
if (failed > 0) process.exitCode = 1;

async function run(command: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
