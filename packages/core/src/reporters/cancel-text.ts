import type { CancelReason } from '../events.ts';
import type { CancelReport } from '../result.ts';
import { printable } from './display-text.ts';
import { durationText } from './quantities.ts';

/** `os-signal: Ctrl-C` */
export function reasonText({ source, message }: CancelReason): string {
  return `${source}: ${printable(message)}`;
}

/** `Building engine > Optimizing graph` */
export function pathText(path: readonly string[]): string {
  return path.map(printable).join(' > ');
}

/** ` in Building engine > Optimizing graph`, or nothing. */
export function inText(path: readonly string[]): string {
  return path.length === 0 ? '' : ` in ${pathText(path)}`;
}

/** The whole report: `by budget: the budget of 5 min is spent, in Timing tactics; TensorRT answered …, ended 8 ms after the request` */
export function cancelText(cancel: CancelReport): string {
  const { phasePath, step, escalation, later, latencyNs } = cancel;
  const where =
    phasePath.length === 0 ? '' : `,${inText(phasePath)}${step === undefined ? '' : ` after step ${step}`}`;
  const course = [
    ...(escalation === 'none' ? [] : [escalation === 'kill' ? 'killed' : 'terminated']),
    ...answerText(cancel),
    `ended ${durationText(latencyNs)} after the request`,
    ...filesText(cancel),
    ...(later.length === 0
      ? []
      : [later.length === 1 ? 'asked once more' : `asked ${later.length} times more`]),
  ];
  return `by ${reasonText(cancel)}${where}; ${course.join(', ')}`;
}

/** Of a cancel that came to nothing: `os-signal: Ctrl-C, 8 ms before the end` */
export function vainText(cancel: CancelReport): string {
  return `${reasonText(cancel)}, ${durationText(cancel.latencyNs)} before the end`;
}

function answerText({ acknowledged, requestedAtNs }: CancelReport): string[] {
  if (acknowledged === undefined) return [];
  const after = ` after ${durationText(acknowledged.atNs - requestedAtNs)}`;
  const { by, phase, step } = acknowledged;
  switch (by) {
    case 'step': {
      const which = step === undefined ? 'a step' : `step ${step}`;
      return [`TensorRT answered at ${which}${phase === undefined ? '' : ` of ${printable(phase)}`}${after}`];
    }
    case 'between':
      return [`stopped between two phases${after}`];
    case 'exit':
      return [`its process was gone${after}`];
  }
}

function filesText({ temporariesRemoved, timingCacheSaved }: CancelReport): string[] {
  const count = temporariesRemoved.length;
  return [
    ...(count === 0 ? [] : [`removed ${count === 1 ? 'a temporary file' : `${count} temporary files`}`]),
    ...(timingCacheSaved === undefined ? [] : [`timing cache ${timingCacheSaved ? '' : 'not '}saved`]),
  ];
}
