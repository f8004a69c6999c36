import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '@trtscope/native';
import { afterAll, describe, expect, test } from 'vitest';
import { act } from './cancel-matrix/actors.ts';
import { titleOf } from './cancel-matrix/cells.ts';
import type { Cell } from './cancel-matrix/cells.ts';
import { expectBuilt, expectStopped } from './cancel-matrix/expect-cell.ts';
import { oldEngine, seenIn } from './cancel-matrix/perform.ts';
import type { Seen } from './cancel-matrix/perform.ts';
import { temporaryFolder } from './command.ts';

interface RealCell extends Cell {
  readonly limitMs?: number;
  readonly graceMs?: number;
  readonly phase?: string;
  /** When it is asked for, where time alone does not. */
  readonly asks?: 'at once' | 'when TensorRT builds' | 'after the end';
  /** What the report says beside the reason; absent when the engine is built. */
  readonly report?: object;
}

const inBuild = { phasePath: expect.arrayContaining(['Building engine']) as string[] };
const between = { acknowledged: { by: 'between' }, escalation: 'none' };
const byStep = { ...inBuild, acknowledged: { by: 'step' }, escalation: 'none' };
const byExit = { ...inBuild, acknowledged: { by: 'exit' }, escalation: 'terminate' };
const longStep = { limitMs: 500, phase: 'Determining refit engines' };

/** Each row and each column of the matrix once. */
const cells: readonly RealCell[] = [
  {
    source: 'deadline',
    moment: 'before start',
    isolation: 'process',
    limitMs: -1000,
    report: { phasePath: [] },
  },
  { source: 'file', moment: 'parsing', isolation: 'thread', asks: 'at once', report: between },
  { source: 'total', moment: 'parsing', isolation: 'process', limitMs: 20, report: between },
  {
    source: 'SIGINT',
    moment: 'first phase',
    isolation: 'process',
    asks: 'when TensorRT builds',
    report: byStep,
  },
  {
    source: 'stdin',
    moment: 'short steps',
    isolation: 'thread',
    asks: 'when TensorRT builds',
    report: byStep,
  },
  { source: 'step', moment: 'long step', isolation: 'process', ...longStep, graceMs: 200, report: byExit },
  { source: 'quiet', moment: 'long step', isolation: 'thread', ...longStep, report: byStep },
  {
    source: 'phase',
    moment: 'silent tail',
    isolation: 'process',
    limitMs: 5,
    phase: 'finish',
    report: between,
  },
  { source: 'AbortSignal', moment: 'after the end', isolation: 'thread', asks: 'after the end' },
];

describe('a build of TensorRT that is asked to stop is as docs/cancel.md says', () => {
  const root = temporaryFolder();
  afterAll(() => {
    root.remove();
  });

  async function perform(cell: RealCell): Promise<Seen> {
    const folder = join(root.path, titleOf(cell).replaceAll(' ', '-'));
    mkdirSync(folder);
    const output = join(folder, 'm.engine');
    writeFileSync(output, oldEngine);
    const { limitMs = 0, graceMs = 60_000, phase } = cell;
    const deadline = new Date(Date.now() + limitMs);
    const scene = { ...cell, folder, limitMs, deadline, graceMs, phase, hadOld: true };
    const actor = act(scene, { model: join(cacheFolder(), 'models/light_resnet50.onnx'), output });
    if (cell.asks === 'at once') actor.ask();
    if (cell.asks === 'when TensorRT builds') {
      await actor.said('Building engine started');
      actor.ask();
    }
    const ended = await actor.ended;
    if (cell.asks === 'after the end') actor.ask();
    return { ...ended, scene, ...seenIn(folder, output) };
  }

  test.each(cells.map((cell) => [titleOf(cell), cell] as const))('%s', async (_, cell) => {
    const seen = await perform(cell);
    if (cell.report === undefined) {
      expectBuilt(seen);
    } else {
      expectStopped(seen);
      expect(seen.result?.cancel).toMatchObject(cell.report);
    }
  });
});
