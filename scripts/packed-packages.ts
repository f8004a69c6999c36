// Packs every package as it would be published and looks at the tarballs with publint and attw.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** ESM alone: how CommonJS and Node 10 resolve the packages does not matter. */
const resolutionsThatCount = new Set(['node16-esm', 'bundler']);

const folder = mkdtempSync(join(tmpdir(), 'trtscope-pack-'));
try {
  const packing = ['-r', '--filter', './packages/*', 'pack', '--pack-destination', folder];
  const { status } = spawnSync('pnpm', packing, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`pnpm pack ended with ${status}`);
  for (const name of readdirSync(folder)) {
    const problems = await problemsOf(readFileSync(join(folder, name)));
    for (const problem of problems) console.error(`${name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function problemsOf(tarball: Buffer<ArrayBuffer>): Promise<string[]> {
  const { buffer, byteOffset, byteLength } = tarball;
  const lint = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    level: 'warning',
  });
  const types = await checkPackage(createPackageFromTarballData(tarball), {
    excludeEntrypoints: [/\.json$/u],
  });
  const wrongTypes = types.types === false ? [] : types.problems;
  return [
    ...lint.messages.map((message) => formatMessage(message, lint.pkg) ?? message.code),
    ...wrongTypes
      .filter((problem) => !('resolutionKind' in problem) || resolutionsThatCount.has(problem.resolutionKind))
      .map((problem) => `${problem.kind}: ${JSON.stringify(problem)}`),
  ];
}
