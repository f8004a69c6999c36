// Every span, event, attribute and metric name of this package, with unit and stability; docs/telemetry.md's tables are
// made from it (node scripts/telemetry-docs.ts).

/** `development`: may change in any release. `stable`: OpenTelemetry's own, or ours and settled. */
type Stability = 'development' | 'stable';

/** One name. */
export interface Definition {
  readonly name: string;
  /** What carries it. */
  readonly on: string;
  readonly type?: string;
  readonly unit?: string;
  readonly stability: Stability;
  readonly brief: string;
}

export const spans = {
  run: {
    name: 'run {command name}',
    on: 'INTERNAL',
    stability: 'development',
    brief: 'A command whose builds are watched, from its start to its end; the parent of its builds.',
  },
  build: {
    name: 'build {network or engine name}',
    on: 'INTERNAL',
    stability: 'development',
    brief: 'One build, from its first moment to its end. Its parent is the caller’s span, if there is one.',
  },
  phase: {
    name: '{phase name}',
    on: 'INTERNAL',
    stability: 'development',
    brief:
      'One occurrence of a phase, with its own native times. Words with digits and quoted parts are taken out of the name.',
  },
} as const satisfies Record<string, Definition>;

export const events = {
  step: {
    name: 'tensorrt.step',
    on: 'phase',
    stability: 'development',
    brief:
      'One completed step. Which steps become events is the step-event policy’s choice; the counts are always exact.',
  },
  cancelRequested: {
    name: 'tensorrt.cancel.requested',
    on: 'build',
    stability: 'development',
    brief: 'Somebody wanted the build to stop. The earliest is the one that the span’s attributes are about.',
  },
  cancelEscalated: {
    name: 'tensorrt.cancel.escalated',
    on: 'build',
    stability: 'development',
    brief: 'Asking was not enough: the build’s process was told to leave, or killed.',
  },
  cancelAcknowledged: {
    name: 'tensorrt.cancel.acknowledged',
    on: 'build',
    stability: 'development',
    brief: 'The build answered the request.',
  },
} as const satisfies Record<string, Definition>;

export const attributes = {
  runBuilds: define(
    'tensorrt.run.build.count',
    'run',
    'int',
    'Builds of the command’s processes.',
    '{build}',
  ),
  runSignal: define('tensorrt.run.signal', 'run', 'string', 'The signal that ended the command.'),
  processExitCode: define('process.exit.code', 'run', 'int', 'Of the command itself.'),
  buildId: define('tensorrt.build.id', 'build', 'string', 'The build’s id.'),
  buildResult: define('tensorrt.build.result', 'build', 'string', '`built`, `cancelled` or `failed`.'),
  buildSteps: define(
    'tensorrt.build.steps.completed',
    'build',
    'int',
    'Steps of all TensorRT phases, exact.',
    '{step}',
  ),
  buildPhases: define(
    'tensorrt.build.phase.count',
    'build',
    'int',
    'TensorRT phases, occurrence by occurrence.',
    '{phase}',
  ),
  version: define('tensorrt.version', 'build', 'string', 'As the library states it, such as `1.7.1`.'),
  edition: define('tensorrt.edition', 'build', 'string', '`tensorrt` or `tensorrt_rtx`.'),
  networkName: define(
    'tensorrt.network.name',
    'build',
    'string',
    'The model file’s name without its extension.',
  ),
  engineSize: define('tensorrt.engine.size', 'build', 'int', 'Size of the engine file.', 'By'),
  filePath: define('file.path', 'build', 'string', 'The engine file, as it was asked for.'),
  errorType: define(
    'error.type',
    'build',
    'string',
    'The error’s code, on failed builds.',
    undefined,
    'stable',
  ),
  cancelSource: define(
    'tensorrt.cancel.source',
    'build; tensorrt.cancel.requested',
    'string',
    'Who asked: `call`, `budget`, `os-signal`, …',
  ),
  cancelMessage: define(
    'tensorrt.cancel.message',
    'build; tensorrt.cancel.requested',
    'string',
    'Why, in one sentence.',
  ),
  cancelDetail: define(
    'tensorrt.cancel.detail',
    'build; tensorrt.cancel.requested',
    'string',
    'What a program branches on, such as the name of the signal or of the budget.',
  ),
  cancelRequestedAt: define(
    'tensorrt.cancel.requested_at',
    'build',
    'double',
    'When it was asked for, since the build began.',
    's',
  ),
  cancelPhase: define('tensorrt.cancel.phase', 'build', 'string', 'The innermost phase that was open then.'),
  cancelPhasePath: define(
    'tensorrt.cancel.phase_path',
    'build',
    'string[]',
    'All phases that were open then, outermost first.',
  ),
  cancelStep: define('tensorrt.cancel.step', 'build', 'int', 'The last step that the innermost had made.'),
  cancelAcknowledgedBy: define(
    'tensorrt.cancel.acknowledged.by',
    'build; tensorrt.cancel.acknowledged',
    'string',
    'What answered: `step`, `between` (two phases of ours) or `exit`; absent when nothing did.',
  ),
  cancelAcknowledgedAfter: define(
    'tensorrt.cancel.acknowledged.after',
    'build',
    'double',
    'From the request to the answer.',
    's',
  ),
  cancelAcknowledgedPhase: define(
    'tensorrt.cancel.acknowledged.phase',
    'build; tensorrt.cancel.acknowledged',
    'string',
    'The phase whose step was answered.',
  ),
  cancelAcknowledgedStep: define(
    'tensorrt.cancel.acknowledged.step',
    'build; tensorrt.cancel.acknowledged',
    'int',
    'The number of that step.',
  ),
  cancelLatency: define('tensorrt.cancel.latency', 'build', 'double', 'From the request to the end.', 's'),
  cancelEscalation: define(
    'tensorrt.cancel.escalation',
    'build; tensorrt.cancel.escalated',
    'string',
    '`none`, `terminate` or `kill`.',
  ),
  cancelTemporariesRemoved: define(
    'tensorrt.cancel.temporaries_removed',
    'build',
    'string[]',
    'Files of trtscope’s that were removed because no engine came of them; absent when there were none.',
  ),
  cancelTimingCacheSaved: define(
    'tensorrt.cancel.timing_cache_saved',
    'build',
    'boolean',
    'Whether the timing cache has what this build measured; absent when none was asked for.',
  ),
  cancelLater: define(
    'tensorrt.cancel.later',
    'build',
    'string[]',
    'Sources of the later requests, in the order of their times; absent when there were none.',
  ),
  cancelTooLate: define(
    'tensorrt.cancel.too_late',
    'build',
    'boolean',
    'Whether the engine was in place already: the build is `built`.',
  ),
  phaseName: define(
    'tensorrt.phase.name',
    'phase; metrics',
    'string',
    'The full title. On metrics: the span’s name, without words that have digits and without quoted parts.',
  ),
  phaseDepth: define('tensorrt.phase.depth', 'phase', 'int', '0 for a phase right under the build.'),
  phaseOrigin: define(
    'tensorrt.phase.origin',
    'phase',
    'string',
    '`tensorrt`, or `trtscope` for the time around its phases.',
  ),
  phaseResult: define(
    'tensorrt.phase.result',
    'phase',
    'string',
    '`unfinished`, when the build ended before the phase did.',
  ),
  phaseStepsTotal: define(
    'tensorrt.phase.steps.total',
    'phase',
    'int',
    'Steps announced; absent when none were.',
    '{step}',
  ),
  phaseSteps: define('tensorrt.phase.steps.completed', 'phase', 'int', 'Steps made, exact.', '{step}'),
  stepEventsRecorded: define(
    'tensorrt.phase.step_events.recorded',
    'phase',
    'int',
    'Step events on this span.',
    '{event}',
  ),
  stepEventsStride: define(
    'tensorrt.phase.step_events.stride',
    'phase',
    'int',
    'Every how manieth step was sampled; 1 when all were kept.',
    '{step}',
  ),
  threadId: define('thread.id', 'phase', 'int', 'Kernel thread id of the first callback.'),
  stepIndex: define('tensorrt.step.index', 'tensorrt.step', 'int', 'As TensorRT counts, from 0.'),
  stepDuration: define(
    'tensorrt.step.duration',
    'tensorrt.step',
    'double',
    'Since the phase’s step before; on the 16 slowest steps of a phase only. Of merged steps: the longest.',
    's',
  ),
  stepMerged: define(
    'tensorrt.step.merged',
    'tensorrt.step',
    'int',
    'How many earlier steps this event stands for as well, when a queue ran full.',
    '{step}',
  ),
} as const satisfies Record<string, Definition>;

export const metrics = {
  phaseSteps: {
    name: 'tensorrt.build.phase.steps',
    on: 'tensorrt.phase.name',
    type: 'counter',
    unit: '{step}',
    stability: 'development',
    brief: 'Steps that TensorRT completed, exact.',
  },
} as const satisfies Record<string, Definition>;

function define<N extends string>(
  name: N,
  on: string,
  type: string,
  brief: string,
  unit?: string,
  stability: Stability = 'development',
): Definition & { readonly name: N } {
  return { name, on, type, brief, stability, ...(unit === undefined ? {} : { unit }) };
}
