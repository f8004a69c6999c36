import type { BuildEvent, CancelReason } from './events.ts';
import type { PhaseTree } from './phase-tree.ts';
import type { CancelReport } from './result.ts';

/** How a cancel went, gathered from a build's events. */
export class CancelLedger {
  readonly #later: CancelReason[] = [];
  #first: (CancelReason & Pick<CancelReport, 'phasePath' | 'step'>) | undefined;
  #acknowledged: CancelReport['acknowledged'];
  #escalation: CancelReport['escalation'] = 'none';

  /** Whether the build stopped because it was asked to, or was stopped. */
  get answered(): boolean {
    return this.#first !== undefined && (this.#acknowledged !== undefined || this.#escalation !== 'none');
  }

  /** Takes one event; `tree` has taken the same ones. */
  apply(event: BuildEvent, tree: PhaseTree): void {
    if (event.type === 'cancel.requested') this.#request(event.reason, tree);
    else if (event.type === 'cancel.escalated') this.#escalation = event.to;
    else if (event.type === 'cancel.acknowledged') {
      const phase = event.phase === undefined ? undefined : tree.get(event.phase)?.name;
      this.#acknowledged ??= {
        by: event.by,
        atNs: event.timeNs,
        ...(phase !== undefined && { phase }),
        ...(event.step !== undefined && { step: event.step }),
      };
    }
  }

  /** The report at the build's end; undefined when no cancel was asked for. */
  report(endedNs: number, built: boolean): CancelReport | undefined {
    if (this.#first === undefined) return undefined;
    return {
      ...this.#first,
      ...(this.#acknowledged !== undefined && { acknowledged: this.#acknowledged }),
      latencyNs: Math.max(0, endedNs - this.#first.requestedAtNs),
      escalation: this.#escalation,
      later: this.#later,
      tooLate: built,
    };
  }

  #request(reason: CancelReason, tree: PhaseTree): void {
    if (this.#first !== undefined) {
      this.#later.push(reason);
      return;
    }
    const innermost = tree.innermostLive;
    const step = innermost?.lastStep;
    this.#first = {
      ...reason,
      phasePath: tree.pathOf(innermost?.phase),
      ...(step !== undefined && { step }),
    };
  }
}
