import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { SourceContext, SourceEvent } from '@trtscope/core';
import type { NativeEvents } from './native-events.ts';

type Ending = Extract<SourceEvent, { type: 'build.finished' }>;

/**
 * Ends a build whose native part has ended: an engine gets its sha256, in a phase of ours that begins where the native
 * part ended, and build.finished follows. `signal` gives the sha256 up.
 */
export async function endBuild(
  context: SourceContext,
  native: NativeEvents,
  last: Ending,
  signal: AbortSignal,
): Promise<void> {
  const { engine } = last;
  if (last.outcome !== 'built' || engine === undefined) {
    context.emit([last]);
    return;
  }
  const phase = native.nextPhase();
  const thread = process.pid;
  context.emit([
    { type: 'phase.started', timeNs: last.timeNs, phase, name: 'hash', thread, origin: 'trtscope' },
  ]);
  const sha256 = await sha256Of(engine.path, signal);
  const timeNs = Math.max(context.elapsedNs(), last.timeNs);
  context.emit([
    { type: 'phase.finished', timeNs, phase, done: 0 },
    { ...last, timeNs, engine: { ...engine, ...(sha256 !== undefined && { sha256 }) } },
  ]);
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { signal });
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
