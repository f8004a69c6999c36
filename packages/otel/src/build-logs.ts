import type { Attributes, Context, HrTime } from '@opentelemetry/api';
import type { Build, BudgetWarning, BuildResult, LogLine, LogSeverity, Quiet } from '@trtscope/core';
import type { Logger } from './logs-api.ts';
import { attributes, logs } from './semconv.ts';
import { stem } from './span-name.ts';

/** What the logs of one build are made with. */
export interface BuildLogsSetup {
  readonly logger: Logger;
  readonly timeAt: (timeNs: number) => HrTime;
  /** With the span of a phase, or of the build where none is given. */
  readonly contextOf: (phase?: number) => Context;
}

// OpenTelemetry's severity numbers.
const severities = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17, FATAL: 21 } as const;

const severityOf: Readonly<Record<LogSeverity, keyof typeof severities>> = {
  // TensorRT's word for a state that it cannot recover from.
  internal_error: 'FATAL',
  error: 'ERROR',
  warning: 'WARN',
  info: 'INFO',
  verbose: 'DEBUG',
};

interface Said {
  readonly eventName?: string;
  readonly timeNs: number;
  readonly severity: keyof typeof severities;
  readonly body?: string;
  readonly attributes?: Attributes;
  readonly phase?: number | undefined;
}

/** The log records of one build: TensorRT's own lines, and the moments that are worth one. */
export class BuildLogs {
  readonly #build: Build;
  readonly #setup: BuildLogsSetup;

  constructor(build: Build, setup: BuildLogsSetup) {
    this.#build = build;
    this.#setup = setup;
  }

  started(): void {
    const { model, output } = this.#build.subject;
    this.#say({
      eventName: logs.buildStarted.name,
      timeNs: 0,
      severity: 'INFO',
      attributes: {
        ...(model !== undefined && { [attributes.networkName.name]: stem(model) }),
        ...(output !== undefined && { [attributes.filePath.name]: output }),
      },
    });
  }

  finished(result: BuildResult): void {
    const failure = result.outcome === 'failed' ? result.error : undefined;
    const body = failure?.message ?? (result.outcome === 'cancelled' ? result.cancel.message : undefined);
    this.#say({
      eventName: logs.buildFinished.name,
      timeNs: result.durationNs,
      severity: failure === undefined ? 'INFO' : 'ERROR',
      ...(body !== undefined && { body }),
      attributes: {
        [attributes.buildResult.name]: result.outcome,
        [attributes.buildElapsed.name]: result.durationNs / 1e9,
        [attributes.buildSteps.name]: result.counts.steps,
        ...(failure && { [attributes.errorType.name]: failure.code }),
      },
    });
  }

  line({ timeNs, severity, message, origin, code, phase }: LogLine): void {
    const name = phase === undefined ? undefined : this.#build.tree.get(phase)?.name;
    this.#say({
      timeNs,
      severity: severityOf[severity] ?? 'INFO',
      body: message,
      attributes: {
        [attributes.logOrigin.name]: origin,
        ...(name !== undefined && { [attributes.phaseName.name]: name }),
        ...(code !== undefined && { [attributes.errorCode.name]: code }),
      },
      phase,
    });
  }

  budgetWarning({ timeNs, budget, limitNs, usedNs }: BudgetWarning): void {
    this.#say({
      eventName: logs.budgetWarning.name,
      timeNs,
      severity: 'WARN',
      attributes: {
        [attributes.budgetName.name]: budget,
        [attributes.budgetLimit.name]: limitNs / 1e9,
        [attributes.budgetUsed.name]: usedNs / 1e9,
      },
      phase: this.#build.tree.innermostLive?.phase,
    });
  }

  quiet({ timeNs, phase, forNs, alive, cpu }: Quiet): void {
    this.#say({
      eventName: logs.quiet.name,
      timeNs,
      severity: 'WARN',
      attributes: {
        [attributes.quietDuration.name]: forNs / 1e9,
        [attributes.quietAlive.name]: alive,
        ...(cpu !== undefined && { [attributes.quietCpu.name]: cpu }),
      },
      phase,
    });
  }

  namesFolded(name: string): void {
    this.#say({
      eventName: logs.phaseNamesFolded.name,
      timeNs: this.#build.elapsedNs(),
      severity: 'WARN',
      attributes: { [attributes.phaseName.name]: name },
    });
  }

  #say({ timeNs, severity, phase, attributes: more, ...record }: Said): void {
    this.#setup.logger.emit({
      ...record,
      timestamp: this.#setup.timeAt(timeNs),
      severityNumber: severities[severity],
      severityText: severity,
      attributes: { [attributes.buildId.name]: this.#build.id, ...more },
      context: this.#setup.contextOf(phase),
    });
  }
}
