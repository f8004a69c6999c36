// Type-checks every ts block of the docs, the READMEs and the doc comments, each as a program of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '*.md', 'packages/*/src/*.ts'], {
  cwd: root,
  encoding: 'utf8',
});

mkdirSync(join(root, 'test/build'), { recursive: true });
// Inside the test package, which depends on every package that an example may import.
const folder = mkdtempSync(join(root, 'test/build/doc-examples-'));
try {
  let count = 0;
  for (const file of files.trim().split('\n')) {
    const lines = readFileSync(join(root, file), 'utf8').replaceAll(/^ +\* ?/gm, '');
    for (const [, example] of lines.matchAll(/^```ts\n(.*?)^```$/gms)) {
      count += 1;
      const name = `${file.replaceAll(/[/.]/g, '-')}-${count}.ts`;
      writeFileSync(join(folder, name), `${example}\nexport {};\n`);
    }
  }
  if (count === 0) throw new Error('No example was found: has the way of writing them changed?');
  const config = { extends: '../../../tsconfig.json', include: ['*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status } = spawnSync('pnpm', ['exec', 'tsc', '-p', folder], { cwd: root, stdio: 'inherit' });
  if (status === 0) console.log(`${count} examples type-check.`);
  else process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
