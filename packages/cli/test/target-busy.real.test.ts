import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run, start, temporaryFolder } from './command.ts';

const simulator = fileURLToPath(
  new URL('../../native/build/release/Release/libtrtscope_simulator_tensorrt-rtx-1.7.so', import.meta.url),
);

test('a second command to the same output exits with 1 at once and names the first one’s process', async () => {
  const folder = temporaryFolder();
  try {
    const inFolder = (name: string) => join(folder.path, name);
    const script = ['trtscope simulator 1', 'build', 'phase 1 Measuring', `await ${inFolder('gate')}`];
    writeFileSync(inFolder('m.onnx'), script.join('\n'));
    const build = ['build', inFolder('m.onnx'), '-o', inFolder('m.engine'), '--tensorrt', simulator];
    const first = start([...build, '--progress', 'json']);
    await first.said('"Measuring"');
    const second = await run([...build, '--result', inFolder('m.json')]);
    writeFileSync(inFolder('gate'), '');
    const { code, stdout } = await first.ended;
    const { pid } = JSON.parse(stdout.split('\n')[0] ?? '') as { readonly pid: number };
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`m.engine is being built by process ${pid}; wait until`);
    expect(JSON.parse(readFileSync(inFolder('m.json'), 'utf8'))).toMatchObject({
      error: { code: 'TARGET_BUSY' },
    });
    expect(code).toBe(0);
  } finally {
    folder.remove();
  }
});
