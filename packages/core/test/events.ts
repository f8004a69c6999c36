import type { BuildEvent, PhaseFinished, PhaseStarted, StepCompleted } from '../src/events.ts';

const base = { build: 'b', seq: 0, timeNs: 0 };

export function phaseStarted(phase: number, fields: Partial<PhaseStarted> = {}): PhaseStarted {
  return {
    type: 'phase.started',
    ...base,
    phase,
    name: `phase ${phase}`,
    thread: 1,
    origin: 'tensorrt',
    ...fields,
  };
}

export function stepCompleted(
  phase: number,
  done: number,
  fields: Partial<StepCompleted> = {},
): StepCompleted {
  return { type: 'step.completed', ...base, phase, step: done - 1, thread: 1, done, ...fields };
}

export function phaseFinished(phase: number, done = 0, fields: Partial<PhaseFinished> = {}): PhaseFinished {
  return { type: 'phase.finished', ...base, phase, done, ...fields };
}

export function buildFinished(outcome: 'built' | 'cancelled' | 'failed' = 'built', timeNs = 0): BuildEvent {
  return { type: 'build.finished', ...base, timeNs, outcome };
}

export function logLine(message: string, timeNs = 0): BuildEvent {
  return { type: 'log', ...base, timeNs, severity: 'info', message, origin: 'tensorrt' };
}
