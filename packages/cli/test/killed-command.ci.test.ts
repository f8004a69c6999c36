import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '@trtscope/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, temporaryFolder } from './command.ts';
import { killAtRandom } from './kill-trials.ts';
import type { Subject, Trial, Victim } from './kill-trials.ts';

// A machine with much else to do takes its time.
const patienceMs = 1_800_000;

describe('a real build that is killed at random moments', { timeout: patienceMs }, () => {
  const folder = temporaryFolder();
  const target = join(folder.path, 'm.engine');
  const args = ['build', join(cacheFolder(), 'models', 'light_resnet50.onnx'), '-o', target];
  args.push('--record', join(folder.path, 'm.jsonl'), '--result', join(folder.path, 'm.json'));
  args.push('--timingCacheFile', join(folder.path, 'm.cache'));
  let subject: Subject;

  beforeAll(async () => {
    const begun = performance.now();
    const { code, stderr } = await run(args);
    if (code !== 0) throw new Error(stderr);
    const durationMs = performance.now() - begun;
    subject = { args, folder: folder.path, target, engine: readFileSync(target), durationMs };
  });
  afterAll(() => {
    folder.remove();
  });

  async function trials(victim: Victim, count: number): Promise<Trial[]> {
    const all: Trial[] = [];
    while (all.length < count) all.push(await killAtRandom(subject, victim));
    console.log(`${count} SIGKILLs of ${victim}: ${summary(all)}`);
    return all;
  }

  test('has its old engine or the whole new one, and no builder 2 s after its command was', async () => {
    const all = await trials('the command', 100);
    expect(all.filter((trial) => trial.target === 'broken')).toEqual([]);
    expect(all.filter(({ goneAfterMs = Infinity }) => goneAfterMs > 2000)).toEqual([]);
  });

  test('has its old engine or the whole new one when nobody is left to tidy up', async () => {
    const all = await trials('both', 25);
    expect(all.filter((trial) => trial.target === 'broken')).toEqual([]);
  });

  test('tells whether its engine is in place when its builder was, and leaves no file', async () => {
    const all = await trials('its builder', 25);
    expect(all.filter(({ code, target: bytes }) => code !== (bytes === 'new' ? 0 : 1))).toEqual([]);
    expect(all.flatMap(({ left }) => left)).toEqual([]);
  });

  test('is followed by one that sweeps all that is left', async () => {
    await trials('both', 3);
    expect(await run(args)).toMatchObject({ code: 0 });
    expect(readFileSync(target).equals(subject.engine)).toBe(true);
    expect(readdirSync(folder.path).toSorted()).toEqual(['m.cache', 'm.engine', 'm.json', 'm.jsonl']);
  });
});

function summary(trials: readonly Trial[]): string {
  const count = (target: Trial['target']) => trials.filter((trial) => trial.target === target).length;
  const gone = trials.map(({ goneAfterMs = Infinity }) => goneAfterMs);
  return (
    `${count('old')} old engines, ${count('new')} whole new ones, ${count('broken')} broken; ` +
    `builder gone after at most ${Math.round(Math.max(...gone))} ms; ` +
    `${trials.filter(({ left }) => left.length > 0).length} times files were left to sweep`
  );
}
