import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult } from '@trtscope/core';
import { cacheFolder } from '@trtscope/native';
import { beforeEach, describe, expect, test } from 'vitest';
import { run, temporaryFolder } from './command.ts';
import { buildersOf } from './kill-trials.ts';

// One long step is most of it.
const model = join(cacheFolder(), 'models', 'light_densenet121.onnx');

async function build(...options: readonly string[]) {
  const folder = temporaryFolder();
  const mark = randomUUID();
  try {
    const json = join(folder.path, 'm.json');
    const args = ['build', model, '-o', join(folder.path, 'm.engine'), '--result', json, ...options];
    const { code } = await run(args, { env: { TRTSCOPE_TEST_MARK: mark } });
    const result = JSON.parse(readFileSync(json, 'utf8')) as BuildResult;
    return { code, result, left: [...readdirSync(folder.path), ...buildersOf(mark)] };
  } finally {
    folder.remove();
  }
}

describe('a command that is over its budget exits with 124, leaves its result alone', () => {
  let wholeMs: number;

  beforeEach(async () => {
    const { result } = await build();
    wholeMs = result.durationNs / 1e6;
  });

  test('and ends within two graces and a quarter of a second', async () => {
    const budgetMs = Math.round(0.4 * wholeMs);
    const graceMs = Math.round(0.1 * wholeMs);
    const ended = await build('--budget', `${budgetMs}ms`, '--grace', `${graceMs}ms`);
    expect(ended).toMatchObject({
      code: 124,
      result: {
        outcome: 'cancelled',
        cancel: { source: 'budget', detail: 'total', acknowledged: { by: 'exit' }, escalation: 'terminate' },
      },
      left: ['m.json'],
    });
    expect(ended.result.durationNs / 1e6).toBeLessThan(budgetMs + 2 * graceMs + 250);
  });

  // A machine that others use may need more than 10 s for the rest of the step.
  test('and waits for the answer of TensorRT when it may', { retry: 2 }, async () => {
    expect(await build('--budget', `${Math.round(0.4 * wholeMs)}ms`)).toMatchObject({
      code: 124,
      result: {
        outcome: 'cancelled',
        cancel: { source: 'budget', detail: 'total', acknowledged: { by: 'step' }, escalation: 'none' },
      },
      left: ['m.json'],
    });
  });
});
