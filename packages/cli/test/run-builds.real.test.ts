import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '@trtscope/native';
import { afterAll, expect, test } from 'vitest';
import { startOtlpReceiver } from '../../../scripts/demo/otlp-receiver.ts';
import { mainPath, start, temporaryFolder } from './command.ts';
import { simulatorOf } from './programs.ts';
import { runAlone, runWatched } from './watched-run.ts';
import type { RunReport } from './watched-run.ts';

const folder = temporaryFolder();
const inFolder = (name: string) => join(folder.path, name);
const reportOf = (name: string) => JSON.parse(readFileSync(inFolder(name), 'utf8')) as RunReport;
afterAll(() => folder.remove());

// The program is our own builder, in a process below a process: it looks TensorRT up with dlsym and has a monitor.
test('a real build in a process of a process is seen whole, and is as it is without', async () => {
  const model = join(cacheFolder(), 'models/light_resnet50.onnx');
  const engine = inFolder('real.engine');
  const command = [process.execPath, mainPath, 'build', model, '-o', engine, '--progress', 'none'];
  const alone = await runAlone(command);
  const bytes = readFileSync(engine);
  const { ended, report } = await runWatched(folder.path, [...command, '--result', inFolder('own.json')]);
  expect(ended).toEqual(alone);
  expect(readFileSync(engine).equals(bytes)).toBe(true);
  const counts = { phases: 12, steps: 1_883 };
  expect(report.builds).toMatchObject([{ outcome: 'built', command: 'trtscope-builder', counts, strays: 0 }]);
  // Its own monitor missed nothing.
  expect(reportOf('own.json')).toMatchObject({ outcome: 'built', counts });
});

test('a shell script with three builds, two of them at once, is one run with three builds', async () => {
  const receiver = await startOtlpReceiver();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  for (const name of ['a', 'b', 'c']) {
    const waits = name === 'c' ? [] : [`await ${inFolder('go')}`];
    const lines = [
      'trtscope simulator 1',
      'build',
      `phase 2 Phase ${name}`,
      'steps 1',
      ...waits,
      'steps 1',
      '',
    ];
    writeFileSync(inFolder(`${name}.onnx`), lines.join('\n'));
  }
  const build = (name: string) =>
    `"${process.execPath}" "${mainPath}" build --tensorrt "${simulatorOf('tensorrt-rtx-1.7').library}" ` +
    `"${inFolder(`${name}.onnx`)}" -o "${inFolder(`${name}.engine`)}"`;
  // The third has a span of its own around it.
  const script = `${build('a')} & ${build('b')} & wait; TRACEPARENT=00-${traceId}-b7ad6b7169203331-01 ${build('c')}`;
  const words = ['--progress', 'none', '--otlp', receiver.url, '--result', inFolder('run.json')];
  const running = start(['run', ...words, '--', 'bash', '-c', script]);
  await Promise.all(['a', 'b'].map((name) => running.said(`Phase ${name} started`)));
  writeFileSync(inFolder('go'), '');
  expect(await running.ended).toMatchObject({ code: 0 });
  await receiver.close();
  for (const name of ['a', 'b', 'c']) expect(existsSync(inFolder(`${name}.engine`))).toBe(true);
  const built = { outcome: 'built', counts: { phases: 1, steps: 2 } };
  expect(reportOf('run.json')).toMatchObject({ exitCode: 0, builds: [built, built, built] });
  const run = receiver.spans.find(({ name }) => name === 'run bash');
  const builds = receiver.spans.filter(({ name }) => name === 'build trtscope-builder');
  expect(builds.filter(({ parentSpanId }) => parentSpanId === run?.spanId)).toHaveLength(2);
  expect(builds.filter(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')).toHaveLength(1);
  expect(builds).toHaveLength(3);
  expect(builds.filter((span) => span.traceId === traceId)).toHaveLength(1);
});
