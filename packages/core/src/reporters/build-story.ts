import type {
  BuildEvent,
  BuildFinished,
  CancelAcknowledged,
  CancelReason,
  CancelEscalated,
  Quiet,
  TensorrtLoaded,
} from '../events.ts';
import { PhaseTree } from '../phase-tree.ts';

/** A cancel that was asked for, as far as it has gone. */
export interface CancelStory {
  readonly reason: CancelReason;
  /** Names of the phases that were live then, outermost first. */
  readonly path: readonly string[];
  readonly escalation?: CancelEscalated['to'];
  readonly acknowledged?: CancelAcknowledged;
}

/** What a reporter has been told of a build. Its tree is never ahead of the events, unlike the build's own. */
export class BuildStory {
  readonly tree = new PhaseTree();
  #latestNs = 0;
  #signalNs = 0;
  #quiet: Quiet | undefined;
  #tensorrt: TensorrtLoaded | undefined;
  #cancel: CancelStory | undefined;
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

  get cancel(): CancelStory | undefined {
    return this.#cancel;
  }

  get finished(): BuildFinished | undefined {
    return this.#finished;
  }

  tell(event: BuildEvent): void {
    this.tree.apply(event);
    this.#latestNs = Math.max(this.#latestNs, event.timeNs);
    switch (event.type) {
      case 'cancel.requested': {
        const path = this.tree.pathOf(this.tree.innermostLive?.phase);
        this.#cancel ??= { reason: event.reason, path };
        break;
      }
      case 'cancel.escalated':
        this.#extendCancel({ escalation: event.to });
        break;
      case 'cancel.acknowledged':
        this.#extendCancel({ acknowledged: event });
        break;
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
        break;
    }
  }

  #hear(event: BuildEvent): void {
    this.#signalNs = Math.max(this.#signalNs, event.timeNs);
    this.#quiet = undefined;
  }

  #extendCancel(more: Partial<CancelStory>): void {
    if (this.#cancel !== undefined) {
      this.#cancel = { ...this.#cancel, ...more };
    }
  }
}
