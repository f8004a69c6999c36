import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts } from './closing-line.ts';

// What is read of vitest's JSON report.
interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const vitest = 'node_modules/vitest/vitest.mjs';

/** Runs projects of vitest.config.ts in the terminal, and counts. */
export async function runVitest(projects: readonly string[], more: readonly string[] = []): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'trtscope-test-'));
  const reportFile = join(folder, 'report.json');
  const args = [
    vitest,
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...more,
  ];
  try {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    const [exitCode] = (await once(child, 'close')) as [number | null];
    if (!existsSync(reportFile)) return { passed: 0, failed: 1, skipped: 0 };
    return countsOf(JSON.parse(await readFile(reportFile, 'utf8')) as Report, exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The counts of a report. A file that fails to load or crashes its worker has no failed test in the report, and an unhandled
 * rejection leaves no trace in it at all: each counts as one failure. The exit code has the last word.
 */
export function countsOf(report: Report, exitCode: number | null): Counts {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const notRun = broken
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'pending').length;
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed || (exitCode === 0 && report.success ? 0 : 1),
    skipped: report.numPendingTests + report.numTodoTests - notRun,
  };
}

/** How many test files a project has. */
export function countTestFiles(project: string): number {
  const args = [vitest, 'list', `--project=${project}`, '--filesOnly', '--json'];
  return (JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as unknown[]).length;
}
