import type { Build, BuildResult, PhaseOrigin } from '@trtscope/core';
import { budgetKinds } from './instruments.ts';
import type { Instruments } from './instruments.ts';
import type { LiveBuild } from './live-builds.ts';
import { attributes } from './semconv.ts';
import { stem } from './span-name.ts';

/** A phase as metrics know it. */
export interface MeasuredPhase {
  /** The span's name, without what varies. */
  readonly name: string;
  readonly origin: PhaseOrigin;
}

/** The metrics of one build. */
export class BuildMetrics implements LiveBuild {
  readonly network: string | undefined;
  readonly #build: Build;
  readonly #instruments: Instruments;
  readonly #onFold: (name: string) => void;
  #livePhases = 0;
  #heardNs = 0;

  /** `onFold` takes the first phase name, of all builds, that is not told apart any more. */
  constructor(build: Build, instruments: Instruments, onFold: (name: string) => void) {
    this.network = build.subject.model === undefined ? undefined : stem(build.subject.model);
    this.#build = build;
    this.#instruments = instruments;
    this.#onFold = onFold;
    instruments.buildActive.add(1);
    instruments.live.add(this);
  }

  get progress(): number | undefined {
    return this.#build.tree.progress;
  }

  get quietNs(): number {
    return this.#livePhases === 0 ? 0 : Math.max(0, this.#build.elapsedNs() - this.#heardNs);
  }

  /** TensorRT made a callback. */
  heard(timeNs: number): void {
    this.#heardNs = Math.max(this.#heardNs, timeNs);
  }

  phaseStarted({ name, origin }: MeasuredPhase): void {
    if (origin !== 'tensorrt') return;
    this.#livePhases += 1;
    const kept = this.#keptName(name);
    this.#instruments.phaseActive.add(1, { [attributes.phaseName.name]: kept });
    this.#instruments.steps.begin(kept);
  }

  stepsMade({ name, origin }: MeasuredPhase, steps: number): void {
    if (origin === 'tensorrt') this.#instruments.steps.count(this.#keptName(name), steps);
  }

  /** `durationNs` is absent where the build's end was its end. */
  phaseEnded({ name, origin }: MeasuredPhase, durationNs?: number): void {
    const named = { [attributes.phaseName.name]: this.#keptName(name) };
    if (origin === 'tensorrt') {
      this.#livePhases -= 1;
      this.#instruments.phaseActive.add(-1, named);
    }
    if (durationNs === undefined) return;
    this.#instruments.phaseDuration.record(durationNs / 1e9, {
      ...named,
      [attributes.phaseOrigin.name]: origin,
    });
  }

  /** The name of a phase's budget has a glob of the user's in it, which is left out. */
  budgetWarned(budget: string): void {
    const kind = budgetKinds.find((known) => budget.startsWith(known));
    this.#instruments.budgetWarnings.add(1, { [attributes.budgetKind.name]: kind ?? 'other' });
  }

  /** After each batch of events. */
  flush(): void {
    this.#instruments.steps.flush();
  }

  ended(result: BuildResult): void {
    this.flush();
    const { buildActive, buildDuration, buildOutcomes, cancelLatency, engineSize, live } = this.#instruments;
    const outcome = { [attributes.buildResult.name]: result.outcome };
    live.end(this);
    buildActive.add(-1);
    buildOutcomes.add(1, outcome);
    buildDuration.record(result.durationNs / 1e9, {
      ...outcome,
      ...(result.outcome === 'failed' && { [attributes.errorType.name]: result.error.code }),
    });
    if (result.cancel !== undefined) {
      cancelLatency.record(result.cancel.latencyNs / 1e9, {
        [attributes.cancelSource.name]: result.cancel.source,
        [attributes.cancelEscalation.name]: result.cancel.escalation,
      });
    }
    if (result.outcome === 'built' && result.engine !== undefined) {
      engineSize.record(result.engine.bytes, outcome);
    }
  }

  #keptName(name: string): string {
    return this.#instruments.phaseNames.of(name, this.#onFold);
  }
}
