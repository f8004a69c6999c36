import { basename } from 'node:path';
import type { BuildStory } from './build-story.ts';
import { cancelText, pathText, vainText } from './cancel-text.ts';
import type {
  BudgetWarning,
  BuildFinished,
  FailureFacts,
  LogLine,
  Quiet,
  TensorrtLoaded,
} from '../events.ts';
import type { BuildSubject } from '../source.ts';
import { printable } from './display-text.ts';
import { bytesText, durationText } from './quantities.ts';

/** `TensorRT for RTX 1.7.1` */
export function tensorrtText(loaded: TensorrtLoaded): string {
  return printable(
    `${loaded.edition === 'tensorrt_rtx' ? 'TensorRT for RTX' : 'TensorRT'} ${loaded.version}`,
  );
}

/** `model.onnx → model.engine`, or the command, or nothing. */
export function subjectText(subject: BuildSubject, arrow: string): string {
  const files = [subject.model, subject.output]
    .filter((path) => path !== undefined)
    .map((path) => basename(path));
  return printable(subject.command ?? files.join(` ${arrow} `));
}

/** `warning: …`, tied to no phase. */
export function logText(line: LogLine): string {
  const severity = line.severity === 'internal_error' ? 'internal error' : line.severity;
  return `${severity}: ${printable(line.message)}`;
}

/** `warning: 80% of the total budget of 5m 00s is used` */
export function budgetText({ budget, limitNs, usedNs }: BudgetWarning): string {
  const part = percentText(usedNs / limitNs);
  return `warning: ${part} of the ${printable(budget)} budget of ${durationText(limitNs)} is used`;
}

/** Whether a log line is worth showing to everybody: warnings, errors, and what we ourselves have to say. */
export function isNotable(line: LogLine): boolean {
  switch (line.severity) {
    case 'internal_error':
    case 'error':
    case 'warning':
      return true;
    case 'info':
      return line.origin === 'trtscope';
    case 'verbose':
      return false;
  }
}

/** From when on a silence is mentioned. */
const silentAfterNs = 3e9;

/** `no signal for 42 s` and ` in Determining refit engines`; absent while TensorRT is heard of. */
export function silenceText(
  { tree, signalNs, quiet }: BuildStory,
  nowNs: number,
): { readonly text: string; readonly where: string } | undefined {
  const silentNs = nowNs - signalNs;
  if (silentNs < silentAfterNs) {
    return undefined;
  }
  const phase = tree.innermostLive;
  return {
    text: `no signal for ${Math.floor(silentNs / 1e9)} s${activityText(quiet)}`,
    where: phase === undefined ? '' : ` in ${printable(phase.name)}`,
  };
}

/** `47%` */
export function percentText(progress: number): string {
  return `${Math.floor(progress * 100)}%`;
}

/** How a build ended, in a sentence without a full stop: `built model.engine, 98.3 MB, in 12 s`. */
export function outcomeText(finished: BuildFinished, { cancel }: BuildStory, subject: BuildSubject): string {
  const took = durationText(finished.timeNs);
  switch (finished.outcome) {
    case 'built': {
      const engine = finished.engine;
      const path = printable(engine?.path ?? subject.output ?? 'an engine');
      const size = engine === undefined ? '' : `, ${bytesText(engine.bytes)},`;
      const late = cancel === undefined ? '' : `; the cancel came too late (${vainText(cancel)})`;
      return `built ${path}${size} in ${took}${late}`;
    }
    case 'cancelled':
      return `cancelled after ${took} ${cancel === undefined ? 'by an unknown cause' : cancelText(cancel)}`;
    case 'failed': {
      const asked = cancel === undefined ? '' : `; a cancel had been asked for (${vainText(cancel)})`;
      return `failed after ${took}: ${failureText(finished.error)}${asked}`;
    }
  }
}

function failureText(error: FailureFacts | undefined): string {
  if (error === undefined) {
    return 'no reason was given';
  }
  const message = printable(error.message);
  const innermost = error.phasePath?.at(-1);
  const where =
    innermost === undefined || message.includes(printable(innermost))
      ? ''
      : ` (in ${pathText(error.phasePath ?? [])})`;
  return `${message}${where}`;
}

function activityText(quiet: Quiet | undefined): string {
  if (quiet === undefined) {
    return '';
  }
  if (!quiet.alive) {
    return ', process gone';
  }
  return quiet.cpu === undefined ? '' : `, process ${quiet.cpu > 0.05 ? 'working' : 'idle'}`;
}
