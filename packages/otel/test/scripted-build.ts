import { startBuild } from '@trtscope/core';
import type { Build, BuildOptions, BuildSubject, SourceEvent } from '@trtscope/core';

/** An event without what `scriptedBuild` fills in. */
export type ScriptedEvent = SourceEvent;

export const startedAt: readonly [number, number] = [1_796_124_000, 999_999_000];

const defaultSubject: BuildSubject = { model: '/models/net.onnx', output: '/out/net.engine' };

/** A build whose source says what the test has written, in the tick after its start. */
export function scriptedBuild(
  events: readonly ScriptedEvent[],
  { subject = defaultSubject, ...options }: BuildOptions & { readonly subject?: BuildSubject } = {},
): Build {
  return startBuild(
    {
      kind: 'scripted',
      subject,
      start: (context) => {
        context.emit([{ type: 'build.started', timeNs: 0, ...subject, startedAt }]);
        return { cancel: () => undefined, ended: Promise.resolve().then(() => context.emit(events)) };
      },
    },
    options,
  );
}

interface PhaseScript {
  readonly name: string;
  readonly from: number;
  readonly to?: number;
  readonly parent?: number;
  readonly announced?: number;
  readonly origin?: 'tensorrt' | 'trtscope';
}

export function started(
  phase: number,
  { name, from, parent, announced, origin = 'tensorrt' }: PhaseScript,
): ScriptedEvent {
  return {
    type: 'phase.started',
    timeNs: from,
    phase,
    name,
    thread: 7,
    origin,
    ...(parent === undefined ? {} : { parent }),
    ...(announced === undefined ? {} : { steps: announced }),
  };
}

/** Steps `first` … `first + count - 1`, `everyNs` apart. */
export function steps(
  phase: number,
  count: number,
  fromNs: number,
  everyNs = 10,
  first = 0,
): ScriptedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'step.completed',
    timeNs: fromNs + index * everyNs,
    phase,
    step: first + index,
    thread: 7,
    done: first + index + 1,
  }));
}

export function finished(phase: number, timeNs: number, done = 0): ScriptedEvent {
  return { type: 'phase.finished', timeNs, phase, done };
}

export function ended(timeNs: number): ScriptedEvent {
  return {
    type: 'build.finished',
    timeNs,
    outcome: 'built',
    engine: { path: '/out/net.engine', bytes: 4_096, sha256: 'ab' },
  };
}

export function failed(timeNs: number, message: string, phasePath?: readonly string[]): ScriptedEvent {
  return {
    type: 'build.finished',
    timeNs,
    outcome: 'failed',
    error: { code: 'BUILD_FAILED', message, tensorrtCode: 4, ...(phasePath && { phasePath }) },
  };
}
