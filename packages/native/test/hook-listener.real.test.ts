import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { HookListener } from '../src/hook/hook-listener.ts';

test('what a process has said is heard, also when it is gone before we have greeted it', async () => {
  const said: string[] = [];
  const listener = await HookListener.open({
    limits: [],
    graceMs: 1000,
    climb: () => undefined,
    onBuild: () => undefined,
    onNotice: (sentence) => said.push(sentence),
  });
  const line = JSON.stringify({ v: 1, type: 'notice', message: 'the last word' });
  const script = `require('net').connect(process.argv[1]).end(process.argv[2] + '\\n', () => process.exit())`;
  // Nothing of ours runs until it is gone.
  execFileSync(process.execPath, ['-e', script, listener.path, line]);
  while (!listener.reported) await new Promise(setImmediate);
  await listener.close(10_000);
  expect(said).toEqual(['the last word']);
});
