// The native code's checks: format, GoogleTests plain and under sanitizers, and real builds by the sanitized builder and addon.
//
//   node scripts/native-checks.ts [plain|asan|tsan …]     default: all three
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { closingLine } from './closing-line.ts';
import { clangFormat } from './native-checks/clang-format.ts';
import { prepareTensorrt } from './tensorrt.ts';

const kinds = [
  { name: 'plain', sanitize: '', library: undefined, options: {} },
  {
    name: 'asan',
    sanitize: 'address,undefined',
    library: 'libasan.so',
    options: { ASAN_OPTIONS: 'detect_leaks=0', UBSAN_OPTIONS: 'print_stacktrace=1' },
  },
  {
    name: 'tsan',
    sanitize: 'thread',
    library: 'libtsan.so',
    // V8 and TensorRT are not instrumented, and what they do looks like races. A builder leaves without joining its threads.
    options: { TSAN_OPTIONS: 'halt_on_error=1:ignore_noninstrumented_modules=1:report_thread_leaks=0' },
  },
] as const;
type Kind = (typeof kinds)[number];

const native = resolve('packages/native');
const counts = { passed: 0, failed: 0, skipped: 0 };

check('format of the native code', clangFormat());
if (!existsSync('/usr/include/gtest/gtest.h')) {
  fail('GoogleTest is missing; install it with "apt-get install libgtest-dev" and try again.');
} else {
  await prepareTensorrt();
  const chosen = process.argv.slice(2);
  for (const kind of kinds) if (chosen.length === 0 || chosen.includes(kind.name)) checkKind(kind);
}
console.log(closingLine(counts));
if (counts.failed > 0) process.exitCode = 1;

function checkKind(kind: Kind): void {
  const folder = join(native, 'build', kind.name);
  const compile = `cmake-js compile --out ${folder} --CDTRTSCOPE_TESTS=ON --CDTRTSCOPE_SANITIZE=${kind.sanitize}`;
  const parallel = { CMAKE_BUILD_PARALLEL_LEVEL: String(availableParallelism()) };
  if (!check(`${kind.name}: compile`, run(`pnpm exec ${compile}`, native, parallel))) return;
  runGoogleTests(kind, folder);
  if (kind.library === undefined) return;
  for (const isolation of ['process', 'thread'] as const) {
    check(`${kind.name}: real builds in a ${isolation}`, buildSanitized(kind, folder, isolation));
  }
}

function runGoogleTests(kind: Kind, folder: string): void {
  const report = join(folder, 'tests.xml');
  rmSync(report, { force: true });
  const fault = run(
    `ctest --output-on-failure --timeout 120 -j ${availableParallelism()} --output-junit ${report}`,
    folder,
  );
  const suite = existsSync(report) ? readFileSync(report, 'utf8').slice(0, 2000) : '';
  const [tests = 0, failed = 0, skipped = 0] = ['tests', 'failures', 'skipped'].map((name) =>
    Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0),
  );
  counts.passed += tests - failed - skipped;
  counts.skipped += skipped;
  if (fault === undefined && tests > 0) {
    console.log(`${kind.name}: GoogleTests: ${tests - failed - skipped} passed, ${failed} failed`);
  } else {
    fail(`${kind.name}: GoogleTests: ${failed} failed\n${fault ?? 'There are none.'}`);
    counts.failed += Math.max(0, failed - 1);
  }
}

/** Into Node, which loads the addon for either, the sanitizer has to be preloaded. Reports go to files: nobody reads a builder's output. */
function buildSanitized(kind: Kind, folder: string, isolation: 'process' | 'thread'): string | undefined {
  const reports = mkdtempSync(join(tmpdir(), 'trtscope-sanitizer-'));
  try {
    const options = Object.entries(kind.options).map(([name, value]) => [
      name,
      `${value}:log_path=${reports}/report`,
    ]);
    const preload = spawnSync('c++', [`-print-file-name=${kind.library}`], {
      encoding: 'utf8',
    }).stdout.trim();
    const fault = run(`${process.execPath} scripts/native-checks/real-builds.ts ${isolation}`, '.', {
      ...Object.fromEntries(options),
      LD_PRELOAD: preload,
      TRTSCOPE_BUILDER: join(folder, 'Release/trtscope-builder'),
      TRTSCOPE_ADDON: join(folder, 'Release/trtscope.node'),
    });
    const said = readdirSync(reports).map((file) => readFileSync(join(reports, file), 'utf8'));
    return fault === undefined && said.length === 0 ? undefined : [fault, ...said].join('\n');
  } finally {
    rmSync(reports, { recursive: true });
  }
}

/** Answers what went wrong. */
function run(command: string, cwd: string, env: Readonly<Record<string, string>> = {}): string | undefined {
  const [program = '', ...words] = command.split(' ');
  const { status, signal, error, stdout, stderr } = spawnSync(program, words, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 900_000,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return undefined;
  return `${command}: ${error?.message ?? signal ?? `exit code ${status}`}\n${stdout}${stderr}`;
}

function check(name: string, fault: string | undefined): boolean {
  if (fault === undefined) {
    counts.passed += 1;
    console.log(`${name}: fine`);
  } else {
    fail(`${name}: ${fault}`);
  }
  return fault === undefined;
}

function fail(words: string): void {
  counts.failed += 1;
  console.log(words);
}
