// Every span, event, log, attribute and metric name of this package, with unit and stability; docs/telemetry.md's tables are
// made from it (node scripts/telemetry-docs.ts).
import type { Definition } from './semconv-definition.ts';

export { attributes } from './semconv-attributes.ts';
export { metrics } from './semconv-metrics.ts';
export type { Definition } from './semconv-definition.ts';

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
  doctor: {
    name: 'trtscope doctor',
    on: 'INTERNAL',
    stability: 'development',
    brief: 'What `trtscope doctor --otlp` sends, to see what an endpoint answers.',
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

export const logs = {
  buildStarted: {
    name: 'tensorrt.build.started',
    on: 'INFO',
    stability: 'development',
    brief: 'A build has begun. It is sent at once, so that a build is seen before its span ends.',
  },
  buildFinished: {
    name: 'tensorrt.build.finished',
    on: 'INFO; ERROR when it failed',
    stability: 'development',
    brief: 'A build has ended.',
  },
  budgetWarning: {
    name: 'tensorrt.budget.warning',
    on: 'WARN',
    stability: 'development',
    brief: 'A budget is nearly spent, or spent where it does not cancel.',
  },
  quiet: {
    name: 'tensorrt.quiet',
    on: 'WARN',
    stability: 'development',
    brief: 'TensorRT has made no callback for a while.',
  },
  phaseNamesFolded: {
    name: 'tensorrt.phase_names.folded',
    on: 'WARN',
    stability: 'development',
    brief:
      'More phase names than metrics keep apart: this one and all further ones count as `other`. Said once.',
  },
} as const satisfies Record<string, Definition>;
