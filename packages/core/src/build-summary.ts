import { CancelLedger } from './cancel-ledger.ts';
import type { BuildEvent, BuildFinished, BuildStarted, TensorrtLoaded } from './events.ts';
import type { PhaseNode, PhaseTree } from './phase-tree.ts';
import type { BuildFacts, BuildResult, CancelReport, PhaseSummary } from './result.ts';

/** Gathers a build's result from its events, so that a replay gives the same result as the build. */
export class BuildSummary {
  readonly #cancel = new CancelLedger();
  #started: BuildStarted | undefined;
  #loaded: TensorrtLoaded | undefined;

  /** Whether the build stopped because it was asked to, or was stopped. */
  get cancelAnswered(): boolean {
    return this.#cancel.answered;
  }

  /** Takes one event; `tree` has taken the same ones. */
  apply(event: BuildEvent, tree: PhaseTree): void {
    if (event.type === 'build.started') this.#started ??= event;
    else if (event.type === 'tensorrt.loaded') this.#loaded ??= event;
    else this.#cancel.apply(event, tree);
  }

  /** The result, given the last event and the tree at that time. */
  result(finished: BuildFinished, tree: PhaseTree): BuildResult {
    const cancel = this.#cancel.report(finished);
    const facts = this.#facts(finished, tree);
    switch (finished.outcome) {
      case 'built':
        return {
          outcome: 'built',
          ...facts,
          ...(finished.engine !== undefined && { engine: finished.engine }),
          ...(cancel !== undefined && { cancel }),
        };
      case 'cancelled':
        return { outcome: 'cancelled', ...facts, cancel: cancel ?? unasked(finished) };
      case 'failed': {
        const error = finished.error ?? {
          code: 'BUILD_FAILED',
          message: 'The build failed and did not say why.',
        };
        return { outcome: 'failed', ...facts, error, ...(cancel !== undefined && { cancel }) };
      }
    }
  }

  #facts(finished: BuildFinished, tree: PhaseTree): BuildFacts {
    const { model, output, command, startedAt = [0, 0] as const } = this.#started ?? {};
    const { callbacks, peakMemoryBytes } = finished;
    const phases = tree.phases();
    const own = phases.filter((node) => node.origin === 'tensorrt');
    return {
      build: finished.build,
      ...(model !== undefined && { model }),
      ...(output !== undefined && { output }),
      ...(command !== undefined && { command }),
      startedAt,
      durationNs: finished.timeNs,
      ...(this.#loaded !== undefined && { tensorrt: tensorrtOf(this.#loaded) }),
      phases: phases.map(summaryOf),
      counts: { phases: own.length, steps: own.reduce((sum, node) => sum + node.done, 0) },
      strays: tree.strays,
      ...(callbacks !== undefined && { callbacks }),
      ...(peakMemoryBytes !== undefined && { peakMemoryBytes }),
    };
  }
}

function tensorrtOf({ edition, version, path }: TensorrtLoaded): NonNullable<BuildFacts['tensorrt']> {
  return { edition, version, ...(path !== undefined && { path }) };
}

function summaryOf(node: PhaseNode): PhaseSummary {
  const { phase, parent, name, origin, depth, startedNs, finishedNs, steps, done } = node;
  return {
    phase,
    ...(parent !== undefined && { parent }),
    name,
    origin,
    depth,
    startedNs,
    ...(finishedNs !== undefined && { finishedNs }),
    ...(steps !== undefined && { steps }),
    done,
  };
}

/** For a build that stopped with no request on record: something else in its program said no. */
function unasked(finished: BuildFinished): CancelReport {
  return {
    source: 'program',
    message: 'the build was cancelled from within',
    requestedAtNs: finished.timeNs,
    phasePath: [],
    latencyNs: 0,
    escalation: 'none',
    temporariesRemoved: finished.cleanup?.temporariesRemoved ?? [],
    later: [],
    tooLate: false,
  };
}
