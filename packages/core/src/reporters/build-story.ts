import { CancelLedger } from '../cancel-ledger.ts';
import type { BuildEvent, BuildFinished, Quiet, TensorrtLoaded } from '../events.ts';
import { PhaseTree } from '../phase-tree.ts';
import type { CancelReport } from '../result.ts';

/** What a reporter has been told of a build. Its tree is never ahead of the events, unlike the build's own. */
export class BuildStory {
  readonly tree = new PhaseTree();
  readonly #cancels = new CancelLedger();
  #latestNs = 0;
  #signalNs = 0;
  #quiet: Quiet | undefined;
  #tensorrt: TensorrtLoaded | undefined;
  #finished: BuildFinished | undefined;

  /** When the latest event happened. */
  get latestNs(): number {
    return this.#latestNs;
  }

  /** When TensorRT, or our own part of the build, was last heard of. */
  get signalNs(): number {
    return this.#signalNs;
  }

  /** What the source said of the silence that lasts; absent when there is none. */
  get quiet(): Quiet | undefined {
    return this.#quiet;
  }

  get tensorrt(): TensorrtLoaded | undefined {
    return this.#tensorrt;
  }

  /** How a cancel has gone so far; absent when none was asked for. */
  get cancel(): CancelReport | undefined {
    return this.#cancels.report(this.#finished ?? { timeNs: this.#latestNs, outcome: 'cancelled' });
  }

  get finished(): BuildFinished | undefined {
    return this.#finished;
  }

  tell(event: BuildEvent): void {
    this.tree.apply(event);
    this.#cancels.apply(event, this.tree);
    this.#latestNs = Math.max(this.#latestNs, event.timeNs);
    switch (event.type) {
      case 'quiet':
        this.#quiet = event;
        break;
      case 'build.finished':
        this.#finished = event;
        break;
      case 'tensorrt.loaded':
        this.#tensorrt = event;
        this.#hear(event);
        break;
      case 'build.started':
      case 'phase.started':
      case 'step.completed':
      case 'phase.finished':
      case 'log':
      case 'snapshot':
        this.#hear(event);
        break;
      case 'budget.warning':
      case 'cancel.requested':
      case 'cancel.escalated':
      case 'cancel.acknowledged':
        break;
    }
  }

  #hear(event: BuildEvent): void {
    this.#signalNs = Math.max(this.#signalNs, event.timeNs);
    this.#quiet = undefined;
  }
}
