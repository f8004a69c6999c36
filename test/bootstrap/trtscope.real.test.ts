import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'trtscope-executable-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('./trtscope runs from any folder, through links, and adds nothing to what the command says', () => {
  symlinkSync(join(root, 'trtscope'), join(folder, 'direct'));
  symlinkSync('direct', join(folder, 'trtscope'));
  const { status, stdout, stderr } = spawnSync('./trtscope', ['--version'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
});

test('the exit code of ./trtscope is the command’s own', () => {
  const { status, stdout } = spawnSync(join(root, 'trtscope'), ['build', 'missing.onnx'], { cwd: folder });
  expect({ status, stdout: String(stdout) }).toEqual({ status: 2, stdout: '' });
});

test('a signal to ./trtscope reaches the command itself', async () => {
  const recording = join(root, 'test/recordings/synthetic-1500-layers-cancelled.jsonl');
  const child = execFile(join(root, 'trtscope'), [
    'replay',
    recording,
    '--speed',
    '0.001',
    '--progress',
    'json',
  ]);
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  expect(await ended).toEqual({ code: 143, signal: null });
});
