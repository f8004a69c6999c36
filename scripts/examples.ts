// Runs every example; each checks its own result: node scripts/examples.ts
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { closingLine } from './closing-line.ts';
import { prepareTensorrt } from './tensorrt.ts';

await prepareTensorrt();
const examples = readdirSync('examples').filter((name) => existsSync(`examples/${name}/main.ts`));
let failed = 0;
for (const name of examples) {
  console.log(`\n--- examples/${name}`);
  const { status } = spawnSync(process.execPath, ['main.ts'], {
    cwd: `examples/${name}`,
    stdio: 'inherit',
    timeout: 120_000,
  });
  if (status !== 0) {
    console.log(`examples/${name} failed with exit code ${status}`);
    failed += 1;
  }
}
console.log(closingLine({ passed: examples.length - failed, failed, skipped: 0 }));
if (failed > 0) process.exitCode = 1;
