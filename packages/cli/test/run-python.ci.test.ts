import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareTensorrt } from '../../../scripts/tensorrt.ts';
import { installNvidiaPython } from '../../../scripts/nvidia-python.ts';
import { temporaryFolder } from './command.ts';
import { runAlone, runWatched, withoutTimes } from './watched-run.ts';

const script = fileURLToPath(new URL('programs/build_engine.py', import.meta.url));
const folder = temporaryFolder();
const engine = join(folder.path, 'python.engine');
let model: string;
let env: Record<string, string>;

beforeAll(async () => {
  ({ model } = await prepareTensorrt());
  env = { PYTHONPATH: (await installNvidiaPython(join(folder.path, 'python'))).pythonPath };
});
afterAll(() => folder.remove());

function command(word: string): string[] {
  return ['python3', script, model, engine, word];
}

test('a script’s own monitor sees each of its callbacks as it would without us', async () => {
  const alone = await runAlone(command('count'), { env });
  expect(alone).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1907 callbacks .*\nthe same monitor\n/u) as unknown,
  });
  const bytes = readFileSync(engine);
  const { ended, report } = await runWatched(folder.path, command('count'), { env });
  expect(ended).toEqual(alone);
  expect(readFileSync(engine).equals(bytes)).toBe(true);
  expect(report.builds).toMatchObject([
    { outcome: 'built', counts: { phases: 12, steps: 1_883 }, callbacks: { count: 1_907 } },
  ]);
});

test('its no cancels the build, is told as the program’s, and the script’s exit code stays', async () => {
  const alone = await runAlone(command('stop'), { env });
  expect(alone).toMatchObject({ code: 7, stderr: expect.stringContaining('BuildCanceled') as unknown });
  const { ended, report } = await runWatched(folder.path, command('stop'), { env });
  expect(ended).toEqual(alone);
  expect(report.exitCode).toBe(7);
  expect(report.builds).toMatchObject([
    { outcome: 'cancelled', cancel: { source: 'program', acknowledged: { by: 'step' } } },
  ]);
});

test.each(['deserialise', 'runtime-first'])(
  'with one logger for builder and runtime (%s) a script is told nothing more than without us',
  async (word) => {
    const alone = withoutTimes(await runAlone(command(word), { env }));
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('the same logger') as unknown });
    // The parser's and the builder's words, all of them.
    expect(alone.stderr.split('\n').length).toBeGreaterThan(10_000);
    expect(withoutTimes(await runAlone(command(word), { env }))).toEqual(alone);
    const { ended, report } = await runWatched(folder.path, command(word), { env });
    expect(withoutTimes(ended)).toEqual(alone);
    expect(report.builds).toMatchObject([{ outcome: 'built', counts: { phases: 12, steps: 1_883 } }]);
  },
);
