import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedVersions, setupTensorrt } from '@trtscope/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareTensorrt } from '../../../scripts/tensorrt.ts';
import { run, temporaryFolder } from './command.ts';
import { compileFake, compileProgram, compileUnknownVersion, simulatorOf } from './programs.ts';
import type { Libraries } from './programs.ts';
import { runAlone, runWatched } from './watched-run.ts';

const folder = temporaryFolder();
const engine = join(folder.path, 'version.engine');
const scripted = join(folder.path, 'scripted.onnx');
let program: string;
let model: string;

beforeAll(async () => {
  ({ model } = await prepareTensorrt());
  program = compileProgram(folder.path);
  const deeds = [
    'build',
    'phase 2 Outer',
    'log error a word',
    'phase 3 Inner',
    'steps 3',
    'finish',
    'steps 2',
  ];
  writeFileSync(scripted, ['trtscope simulator 1', ...deeds, 'engine 5000', ''].join('\n'));
});
afterAll(() => folder.remove());

function command({ library, parser }: Libraries, file: string, words: readonly string[]): string[] {
  return [program, library, parser, file, engine, ...words];
}

describe.each(pinnedVersions)('TensorRT-RTX %s', (version) => {
  test.each(['serialized', 'stream'])('has its build (%s) traced, and is as it is without', async (entry) => {
    const words = command(await setupTensorrt({ version }), model, [entry, 'monitor', 'logger']);
    const alone = await runAlone(words);
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('the same logger') as unknown });
    const callbacks = Number(/(\d+) callbacks/u.exec(alone.stdout)?.[1]);
    const bytes = readFileSync(engine);
    const { ended, report } = await runWatched(folder.path, words);
    expect(ended).toEqual(alone);
    expect(readFileSync(engine).equals(bytes)).toBe(true);
    expect(report.builds).toMatchObject([
      {
        outcome: 'built',
        tensorrt: { edition: 'tensorrt_rtx', version: version.slice(0, 5) },
        // Each phase starts and finishes.
        counts: { phases: 12, steps: callbacks - 24 },
        strays: 0,
      },
    ]);
  });
});

describe.each([
  { layout: 'tensorrt-10.0', version: '10.0.1', entries: ['serialized'] },
  { layout: 'tensorrt-10.13', version: '10.13.3', entries: ['serialized', 'stream', 'engine', 'text'] },
  { layout: 'tensorrt-11.4', version: '11.4.0', entries: ['serialized', 'stream', 'engine', 'text'] },
  { layout: 'tensorrt-rtx-1.4', version: '1.4.0', entries: ['serialized', 'stream'] },
  { layout: 'tensorrt-rtx-1.7', version: '1.7.1', entries: ['serialized', 'stream'] },
])('the layout of $layout', ({ layout, version, entries }) => {
  test.each(entries)('has its build (%s) traced, and is as it is without', async (entry) => {
    const words = command(simulatorOf(layout), scripted, [entry, 'monitor', 'logger']);
    const alone = await runAlone(words);
    const size = entry === 'text' ? 5010 : 5000;
    const stdout = `${size} bytes, 9 callbacks\nthe same logger\n`;
    expect(alone).toEqual({ code: 0, signal: null, stdout, stderr: '[1] a word\n' });
    const bytes = readFileSync(engine);
    const { ended, report } = await runWatched(folder.path, words);
    expect(ended).toEqual(alone);
    expect(readFileSync(engine).equals(bytes)).toBe(true);
    expect(report.builds).toMatchObject([
      {
        outcome: 'built',
        tensorrt: { version: `${version} simulator` },
        counts: { phases: 2, steps: 5 },
        callbacks: { count: 9 },
      },
    ]);
  });

  test.each(entries)('has its build (%s) ended by a budget', async (entry) => {
    const endless = join(folder.path, 'endless.onnx');
    writeFileSync(endless, 'trtscope simulator 1\nbuild\nphase 9 Endless\nsteps 1000000 every 1\n');
    const { ended, report } = await runWatched(folder.path, command(simulatorOf(layout), endless, [entry]), {
      words: ['--budget', '100ms'],
    });
    expect(ended).toMatchObject({ code: 124, stdout: '0 bytes, 0 callbacks\n' });
    expect(report).toMatchObject({
      exitCode: 1,
      builds: [
        { outcome: 'cancelled', cancel: { source: 'budget', phasePath: ['Endless'], escalation: 'none' } },
      ],
    });
  });
});

describe('what is not known', () => {
  test('a library of another version builds unwatched, with one line that says so', async () => {
    const unknown = compileUnknownVersion(folder.path);
    const words = command(unknown, scripted, ['as=101303', 'monitor', 'logger']);
    const alone = await runAlone(words);
    expect(alone).toMatchObject({ code: 0, stdout: '5000 bytes, 9 callbacks\nthe same logger\n' });
    const { ended, report } = await runWatched(folder.path, words);
    expect(ended).toEqual(alone);
    expect(report.builds).toEqual([]);
    const line = `trtscope: ${unknown.library} is 10.99.0, which is not watched. Supported are TensorRT-RTX 1.3 to 1.7 and TensorRT 10.0 to 11.4.\n`;
    const told = await run(['run', '--', ...words]);
    expect(told).toMatchObject({ code: 0, stdout: alone.stdout });
    expect(told.stderr.replace(line, '')).toBe(alone.stderr);
  });

  test('a library with nothing of TensorRT’s but the name is called as it is', async () => {
    const { program: caller, library } = compileFake(folder.path);
    const { code, stdout, stderr } = await run(['run', '--', caller, library]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'as it should\n' });
    expect(stderr).toMatch(/^trtscope: \S+libfake\.so is of no version, which is not watched\. .*\n$/u);
  });
});
