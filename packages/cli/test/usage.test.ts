import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run, temporaryFolder } from './command.ts';
import { runHere } from './in-process.ts';

const folder = temporaryFolder();
const inFolder = (name: string) => join(folder.path, name);
const model = inFolder('model.onnx');
writeFileSync(model, 'no matter what\n');
mkdirSync(inFolder('sub'));

afterAll(() => folder.remove());

describe('wrong usage', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['a misspelt command', ['biuld', model], "unknown command 'biuld'; did you mean build?"],
    [
      'a misspelt option',
      ['build', model, '--bugdet', '5m'],
      "unknown option '--bugdet'; did you mean --budget?",
    ],
    [
      'an option of trtexec',
      ['build', '--onnx=m'],
      "unknown option '--onnx=m'; the model is the argument: trtscope build model.onnx",
    ],
    ['no model', ['build'], "missing required argument 'model'"],
    [
      'a missing model',
      ['build', 'no.onnx'],
      'The model "no.onnx" does not exist; give the path of an ONNX file.',
    ],
    [
      'a bad duration',
      ['build', model, '--budget', '90'],
      '--budget: "90" is not a duration; write it as 90s, 5m, 1h30m or 500ms.',
    ],
    [
      'a phase without a budget',
      ['build', model, '--phase-budget', 'Timing*'],
      `--phase-budget: "Timing*" is not a phase with a duration; write it as 'Timing*=2m'`,
    ],
    [
      'a budget without a phase',
      ['build', model, '--phase-budget', '=5m'],
      '--phase-budget: "=5m" is not a phase with a duration',
    ],
    [
      'a phase with no time',
      ['build', model, '--phase-budget', 'a=b=0s'],
      '--phase-budget: "0s" leaves no time at all; write it as 90s',
    ],
    [
      'a phase with two budgets',
      ['build', model, '--phase-budget', 'T*=5m', '--phase-budget', 'T*=6m'],
      '--phase-budget: "T*" has two budgets; give it one.',
    ],
    [
      'a budget of years',
      ['build', model, '--step-budget', '9999h'],
      'budget.stepMs must be a number above 0',
    ],
    [
      'a warning after the end',
      ['build', model, '--warn-at', '120%'],
      '--warn-at: "120%" is not a part of a budget; write it as 80% or 0.8.',
    ],
    [
      'a recording that would cancel',
      ['build', model, '--record', inFolder('r'), '--cancel-file', inFolder('r')],
      'is --cancel-file too; name another file.',
    ],
    [
      'an unknown progress',
      ['build', model, '--progress', 'bar'],
      '--progress: "bar" is not one of auto, tty, plain, json, none.',
    ],
    [
      'an endpoint that is none',
      ['build', model, '--otlp', 'localhost:4318'],
      '--otlp: "localhost:4318" is not an http or https URL, such as http://localhost:4318.',
    ],
    [
      'the model as output',
      ['build', model, '-o', model],
      `output: "${model}" is the model itself; choose another file.`,
    ],
    [
      'an output in no folder',
      ['build', model, '-o', inFolder('no/x')],
      'which is no folder; create it first',
    ],
    [
      'the model as recording',
      ['build', model, '--record', model],
      `--record: "${model}" is the model too; name another file.`,
    ],
    [
      'one file for two',
      ['build', model, '--record', inFolder('r'), '--result', inFolder('sub/../r')],
      'is --record too; name another file.',
    ],
    [
      'a result that is a folder',
      ['build', model, '--result', inFolder('sub')],
      'sub" cannot be written: it is a folder; name a file.',
    ],
    [
      'a recording in no folder',
      ['build', model, '--record', 'no/r'],
      '--record: "no/r" cannot be written: its folder',
    ],
    [
      'minimum above maximum',
      ['build', model, '--minShapes=x:3', '--maxShapes=x:2'],
      'minShapes: expected at most maxShapes 2 for input "x", got 3.',
    ],
    ['a missing recording', ['replay', 'no.jsonl'], 'no.jsonl'],
    ['a recording that is none', ['replay', model], 'is not JSON'],
    ['a speed of nothing', ['replay', model, '--speed', '0'], '--speed: "0" is not a speed'],
    ['an unknown version', ['setup', '1.2'], '"1.2" is not a version that can be set up'],
  ])('is %s: one sentence on stderr, exit code 2, nothing written', async (_, args, message) => {
    const { code, stdout, stderr } = await runHere(...args);
    expect(stderr).toContain(`trtscope: `);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(readdirSync(folder.path).toSorted()).toEqual(['model.onnx', 'sub']);
  });
});

describe('help', () => {
  it('goes to stdout when asked for, with exit code 0', async () => {
    const { code, stdout, stderr } = await runHere('build', '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of ['Examples:', 'Exit codes:', '--minShapes <list>', '--progress <kind>']) {
      expect(stdout).toContain(part);
    }
  });

  it('goes to stderr with exit code 2 when there is no command', async () => {
    const { code, stdout, stderr } = await runHere();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: trtscope');
  });

  it('tells the version', async () => {
    const { code, stdout } = await run(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });
});
