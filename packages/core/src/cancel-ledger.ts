import type { BuildEvent, BuildFinished, CancelReason } from './events.ts';
import type { PhaseTree } from './phase-tree.ts';
import type { CancelReport } from './result.ts';

/** A request, and where the build was then. */
interface Request {
  readonly reason: CancelReason;
  where: Pick<CancelReport, 'phasePath' | 'step'>;
}

/** How a cancel went, gathered from a build's events. */
export class CancelLedger {
  /** In the order of their times, whatever the order in which they came. */
  readonly #requests: Request[] = [];
  #acknowledged: CancelReport['acknowledged'];
  #escalation: CancelReport['escalation'] = 'none';

  /** Whether the build stopped because it was asked to, or was stopped. */
  get answered(): boolean {
    return this.#requests.length > 0 && (this.#acknowledged !== undefined || this.#escalation !== 'none');
  }

  /** Takes one event; `tree` has taken the same ones. */
  apply(event: BuildEvent, tree: PhaseTree): void {
    switch (event.type) {
      case 'cancel.requested':
        this.#request(event.reason, tree);
        break;
      case 'cancel.escalated':
        this.#escalation = event.to;
        break;
      case 'cancel.acknowledged': {
        const phase = event.phase === undefined ? undefined : tree.get(event.phase)?.name;
        this.#acknowledged ??= {
          by: event.by,
          atNs: event.timeNs,
          ...(phase !== undefined && { phase }),
          ...(event.step !== undefined && { step: event.step }),
        };
        break;
      }
      case 'phase.started':
      case 'step.completed':
      case 'phase.finished':
        this.#catchUp(event.timeNs, tree);
        break;
      case 'build.started':
      case 'tensorrt.loaded':
      case 'log':
      case 'budget.warning':
      case 'quiet':
      case 'snapshot':
      case 'build.finished':
        break;
    }
  }

  /** The report as it stands, or at the build's end; undefined when no cancel was asked for. */
  report(finished: Pick<BuildFinished, 'timeNs' | 'outcome' | 'cleanup'>): CancelReport | undefined {
    const [first, ...later] = this.#requests;
    if (first === undefined) return undefined;
    const { temporariesRemoved = [], timingCacheSaved } = finished.cleanup ?? {};
    return {
      ...first.reason,
      ...first.where,
      ...(this.#acknowledged !== undefined && { acknowledged: this.#acknowledged }),
      latencyNs: Math.max(0, finished.timeNs - first.reason.requestedAtNs),
      escalation: this.#escalation,
      temporariesRemoved,
      ...(timingCacheSaved !== undefined && { timingCacheSaved }),
      later: later.map(({ reason }) => reason),
      tooLate: finished.outcome === 'built',
    };
  }

  #request(reason: CancelReason, tree: PhaseTree): void {
    const earlier = this.#requests.findLastIndex(
      (other) => other.reason.requestedAtNs <= reason.requestedAtNs,
    );
    this.#requests.splice(earlier + 1, 0, { reason, where: whereIn(tree) });
  }

  /** A request may overtake what happened before it: the news of that corrects where it found the build. */
  #catchUp(timeNs: number, tree: PhaseTree): void {
    const [first] = this.#requests;
    if (first !== undefined && timeNs < first.reason.requestedAtNs) first.where = whereIn(tree);
  }
}

function whereIn(tree: PhaseTree): Request['where'] {
  const innermost = tree.innermostLive;
  const step = innermost?.lastStep;
  return { phasePath: tree.pathOf(innermost?.phase), ...(step !== undefined && { step }) };
}
