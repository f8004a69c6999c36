import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '@trtscope/native';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOtlpReceiver } from '../../scripts/demo/otlp-receiver.ts';

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const model = join(cacheFolder(), 'models', 'light_resnet50.onnx');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trtscope-cancelled-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a build that SIGINT ends is exported whole: cancelled, no error, every span ended', async () => {
  const receiver = await startOtlpReceiver();
  const args = ['build', model, '-o', join(folder, 'x.engine'), '--progress', 'json', '--otlp', receiver.url];
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines += text;
  });
  child.stdout.once('data', () => child.kill('SIGINT'));
  const [code] = await once(child, 'close');
  await receiver.close();
  expect(code).toBe(130);
  const root = receiver.spans.find((span) => span.parentSpanId === undefined);
  expect(root?.attributes).toMatchObject({
    'tensorrt.build.result': 'cancelled',
    'tensorrt.cancel.source': 'os-signal',
    'tensorrt.cancel.detail': 'SIGINT',
    'tensorrt.cancel.too_late': false,
  });
  const started = lines.match(/"type":"phase.started"/gu) ?? [];
  expect(receiver.spans).toHaveLength(started.length + 1);
  expect(receiver.spans.filter((span) => span.status === 'error')).toEqual([]);
});
