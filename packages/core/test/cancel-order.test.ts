import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startBuild, type Build } from '../src/build.ts';
import type { BuildEvent, CancelReason, SourceEvent } from '../src/events.ts';
import type { BuildResult } from '../src/result.ts';
import { FakeClock } from './fake-clock.ts';
import { ManualSource } from './manual-source.ts';

/** One thing that happens to a build. */
type Move = (scene: Scene) => void;

class Scene {
  readonly clock = new FakeClock();
  readonly source = new ManualSource();
  readonly abort = new AbortController();
  readonly build: Build;
  readonly events: BuildEvent[] = [];
  /** Every request that must be on record, in the order in which they came. */
  readonly asked: CancelReason[] = [];
  /** Of the handle's own requests, which one goes to the source. */
  told: CancelReason | undefined;
  steps = 0;
  answered = false;
  finished: 'built' | 'cancelled' | 'failed' | undefined;

  constructor() {
    const budget = { totalMs: 400, warnAt: 1 };
    this.build = startBuild(this.source, { clock: this.clock, signal: this.abort.signal, budget });
    this.build.attach({ name: 'events', receive: (events) => void this.events.push(...events) });
    this.source.begin();
    this.emit({ type: 'phase.started', timeNs: 0, phase: 1, name: 'p', thread: 1, origin: 'tensorrt' });
  }

  get nowNs(): number {
    return this.clock.nowNs();
  }

  emit(event: SourceEvent): void {
    this.source.emit(event);
  }

  /** The handle is asked: what is asked twice in the same words counts once. */
  note(reason: Omit<CancelReason, 'requestedAtNs'>, requestedAtNs = this.nowNs): void {
    if (this.finished !== undefined || this.#words.has(JSON.stringify(reason))) return;
    this.#words.add(JSON.stringify(reason));
    this.told ??= { ...reason, requestedAtNs };
    this.asked.push({ ...reason, requestedAtNs });
  }

  readonly #words = new Set<string>();
}

const messages = fc.constantFrom('one', 'two', 'three');
const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.integer({ min: 1, max: 150 }).map((ms): Move => (scene) => {
    const dueMs = 400 - scene.nowNs / 1e6;
    if (dueMs > 0 && dueMs <= ms) {
      scene.note({ source: 'budget', message: 'the budget of 400 ms is spent', detail: 'total' }, 400e6);
    }
    scene.clock.advance(ms);
  }),
  messages.map((message): Move => (scene) => {
    scene.note({ source: 'call', message });
    scene.build.cancel(message);
  }),
  fc.constant<Move>((scene) => {
    if (!scene.abort.signal.aborted)
      scene.note({ source: 'abort-signal', message: 'aborted', detail: 'Error' });
    scene.abort.abort(new Error('aborted'));
  }),
  // The source tells of a request that was made to it, perhaps a while ago.
  fc.tuple(messages, fc.nat({ max: 400 })).map(([message, agoMs]): Move => (scene) => {
    const requestedAtNs = Math.max(0, scene.nowNs - agoMs * 1e6);
    const reason: CancelReason = { source: 'agent', message, requestedAtNs };
    if (scene.finished === undefined) scene.asked.push(reason);
    scene.emit({ type: 'cancel.requested', timeNs: requestedAtNs, reason });
  }),
  // It repeats what it was told.
  fc.constant<Move>((scene) => {
    if (scene.told === undefined) return;
    const reason = { ...scene.told, requestedAtNs: scene.nowNs };
    scene.emit({ type: 'cancel.requested', timeNs: scene.nowNs, reason });
  }),
  fc.constant<Move>((scene) => {
    if (scene.finished === undefined) scene.steps += 1;
    const { steps: done, nowNs: timeNs } = scene;
    scene.emit({ type: 'step.completed', timeNs, phase: 1, step: done - 1, thread: 1, done });
  }),
  fc
    .constantFrom<SourceEvent['type'][]>(['cancel.acknowledged'], ['cancel.escalated'])
    .map(([type]): Move => {
      return (scene) => {
        if (scene.finished === undefined) scene.answered = true;
        const timeNs = scene.nowNs;
        if (type === 'cancel.escalated') scene.emit({ type, timeNs, to: 'kill' });
        else scene.emit({ type: 'cancel.acknowledged', timeNs, by: 'step' });
      };
    }),
  fc
    .constantFrom('built' as const, 'cancelled' as const, 'failed' as const)
    .map((outcome): Move => (scene) => {
      scene.emit({ type: 'build.finished', timeNs: scene.nowNs, outcome });
      scene.finished ??= outcome;
    }),
);

async function played(list: readonly Move[]): Promise<{ scene: Scene; result: BuildResult }> {
  const scene = new Scene();
  for (const move of list) move(scene);
  if (scene.finished === undefined) {
    scene.finished = 'failed';
    scene.emit({ type: 'build.finished', timeNs: scene.nowNs, outcome: 'failed' });
  }
  scene.source.end();
  const result = await scene.build.result;
  return { scene, result };
}

describe('in any order of requests and events', () => {
  const order = fc.array(moves, { maxLength: 25 });

  test('the first reason wins, by its time, and every other is listed once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(order, async (list) => {
        const { scene, result } = await played(list);
        const expected = scene.asked.toSorted((a, b) => a.requestedAtNs - b.requestedAtNs);
        const { cancel } = result;
        if (expected.length === 0) {
          expect(cancel?.source).toBe(result.outcome === 'cancelled' ? 'program' : undefined);
          return;
        }
        expect(cancel).toMatchObject({ ...expected[0], later: expected.slice(1) });
        expect(cancel?.latencyNs).toBe(result.durationNs - (expected[0]?.requestedAtNs ?? 0));
      }),
    );
  });

  test('the source is told once, of the first request that is not its own', async () => {
    await fc.assert(
      fc.asyncProperty(order, async (list) => {
        const { scene } = await played(list);
        expect(scene.source.cancels).toEqual(scene.told === undefined ? [] : [scene.told]);
      }),
    );
  });

  test('there is exactly one outcome, which is the last event', async () => {
    await fc.assert(
      fc.asyncProperty(order, async (list) => {
        const { scene, result } = await played(list);
        await expect.poll(() => scene.events.at(-1)?.type, { interval: 0 }).toBe('build.finished');
        expect(scene.events.filter(({ type }) => type === 'build.finished')).toHaveLength(1);
        const stopped = scene.finished === 'failed' && scene.asked.length > 0 && scene.answered;
        expect(result.outcome).toBe(stopped ? 'cancelled' : scene.finished);
        expect(scene.events.at(-1)).toMatchObject({ outcome: result.outcome });
        if (result.cancel !== undefined) expect(result.cancel.tooLate).toBe(result.outcome === 'built');
      }),
    );
  });

  test('counts are right: steps, and requests in the events as in the report', async () => {
    await fc.assert(
      fc.asyncProperty(order, async (list) => {
        const { scene, result } = await played(list);
        await expect.poll(() => scene.events.at(-1)?.type, { interval: 0 }).toBe('build.finished');
        const requested = scene.events.filter(({ type }) => type === 'cancel.requested');
        expect(result.counts).toEqual({ phases: 1, steps: scene.steps });
        expect(requested).toHaveLength(scene.asked.length);
      }),
    );
  });
});
