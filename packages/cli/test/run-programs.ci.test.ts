import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupTensorrt } from '@trtscope/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOtlpReceiver } from '../../../scripts/demo/otlp-receiver.ts';
import { prepareTensorrt } from '../../../scripts/tensorrt.ts';
import { temporaryFolder } from './command.ts';
import { compileProgram } from './programs.ts';
import type { Libraries } from './programs.ts';
import { runAlone, runWatched } from './watched-run.ts';

const folder = temporaryFolder();
const engine = join(folder.path, 'program.engine');
const whole = { outcome: 'built', counts: { phases: 12, steps: 1_883 }, strays: 0 };
let files: Libraries;
let model: string;

beforeAll(async () => {
  ({ model } = await prepareTensorrt());
  files = await setupTensorrt();
});
afterAll(() => folder.remove());

describe.each(['looks TensorRT up with dlsym', 'is linked with TensorRT'])('a C++ program that %s', (way) => {
  let start: readonly string[];

  beforeAll(() => {
    start = way.includes('linked')
      ? [compileProgram(folder.path, files), model, engine]
      : [compileProgram(folder.path), files.library, files.parser, model, engine];
  });

  test.each([
    { title: 'its build', words: ['logger'], builds: 1 },
    { title: 'its build to a stream, beside a monitor of its own', words: ['stream', 'monitor'], builds: 1 },
    { title: 'both of its two builds', words: ['twice'], builds: 2 },
  ])('has $title traced, and is as it is without', async ({ words, builds }) => {
    const alone = await runAlone([...start, ...words]);
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d{6,} bytes/u) as unknown });
    if (words.includes('logger')) expect(alone.stdout).toContain('the same logger');
    const bytes = readFileSync(engine);
    const { ended, report } = await runWatched(folder.path, [...start, ...words]);
    expect(ended).toEqual(alone);
    expect(readFileSync(engine).equals(bytes)).toBe(true);
    expect(report.builds).toMatchObject(Array.from({ length: builds }, () => whole));
  });

  test('has its build below the span that it has put into its own TRACEPARENT', async () => {
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const receiver = await startOtlpReceiver();
    const words = ['--otlp', receiver.url];
    const { ended } = await runWatched(folder.path, [...start, `parent=00-${traceId}-${spanId}-01`], {
      words,
    });
    await receiver.close();
    expect(ended.code).toBe(0);
    const build = receiver.spans.find(({ name }) => name.startsWith('build '));
    expect(build).toMatchObject({ traceId, parentSpanId: spanId });
    expect(receiver.spans.find(({ name }) => name.startsWith('run '))?.traceId).not.toBe(traceId);
  });
});

test('a shell script with three builds, two of them at once, is one run with three builds', async () => {
  const program = compileProgram(folder.path);
  const build = (name: string) =>
    `"${program}" "${files.library}" "${files.parser}" "${model}" "${join(folder.path, name)}"`;
  const script = `${build('a')} & ${build('b')} & wait; ${build('c')}`;
  const receiver = await startOtlpReceiver();
  const { ended, report } = await runWatched(folder.path, ['bash', '-c', script], {
    words: ['--otlp', receiver.url],
  });
  await receiver.close();
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(report.builds).toMatchObject([whole, whole, whole]);
  const run = receiver.spans.find(({ name }) => name === 'run bash');
  const [first, second, third] = receiver.spans
    .filter(({ parentSpanId }) => parentSpanId === run?.spanId)
    .toSorted((a, b) => Number(a.startNs - b.startNs));
  expect([first?.name, second?.name, third?.name]).toEqual(
    Array.from({ length: 3 }, () => 'build build_engine'),
  );
  expect(second?.startNs).toBeLessThan(first?.endNs ?? 0n);
  expect(third?.startNs).toBeGreaterThan(second?.endNs ?? 0n);
});
