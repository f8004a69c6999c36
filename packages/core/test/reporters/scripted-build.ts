import type { BuildEvent, CancelReason, SourceEvent } from '../../src/events.ts';
import type { BuildSubject } from '../../src/source.ts';
import type { FakeClock } from '../fake-clock.ts';

/** Any event without what a script knows by itself. */
type Said<E> = E extends SourceEvent ? Omit<E, 'build' | 'seq' | 'timeNs'> : never;

/** A build whose events a test writes, at the clock's time. */
export class ScriptedBuild {
  readonly subject: BuildSubject = { model: 'models/resnet50.onnx', output: 'out/resnet50.engine' };
  readonly #clock: FakeClock;
  readonly #names = new Map<string, number>();
  #seq = 0;
  #phase = 0;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  elapsedNs(): number {
    return this.#clock.nowNs();
  }

  say(event: Said<SourceEvent>): BuildEvent {
    return { build: 'b', seq: this.#seq++, timeNs: this.#clock.nowNs(), ...event };
  }

  begin(): BuildEvent[] {
    return [
      this.say({ type: 'build.started', ...this.subject, startedAt: [1_700_000_000, 0] }),
      this.say({ type: 'tensorrt.loaded', edition: 'tensorrt_rtx', version: '1.7.1' }),
    ];
  }

  start(name: string, options: { steps?: number; parent?: string; own?: boolean } = {}): BuildEvent {
    const { steps, parent, own } = options;
    this.#names.set(name, ++this.#phase);
    return this.say({
      type: 'phase.started',
      phase: this.#phase,
      name,
      thread: 1,
      origin: own === true ? 'trtscope' : 'tensorrt',
      ...(parent !== undefined && { parent: this.#id(parent), parentName: parent }),
      ...(steps !== undefined && { steps }),
    });
  }

  step(name: string, done: number): BuildEvent {
    return this.say({ type: 'step.completed', phase: this.#id(name), step: done - 1, thread: 1, done });
  }

  finish(name: string, done = 0): BuildEvent {
    return this.say({ type: 'phase.finished', phase: this.#id(name), done });
  }

  cancel(reason: Partial<CancelReason> = {}): BuildEvent {
    const requestedAtNs = this.#clock.nowNs();
    return this.say({
      type: 'cancel.requested',
      reason: { source: 'os-signal', message: 'Ctrl-C', detail: 'SIGINT', requestedAtNs, ...reason },
    });
  }

  built(): BuildEvent {
    return this.say({
      type: 'build.finished',
      outcome: 'built',
      engine: { path: 'out/resnet50.engine', bytes: 98_300_000 },
    });
  }

  #id(name: string): number {
    const id = this.#names.get(name);
    if (id === undefined) {
      throw new Error(`the script has no phase ${name}`);
    }
    return id;
  }
}
