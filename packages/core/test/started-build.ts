import { startBuild, type BuildOptions } from '../src/build.ts';
import type { SourceEvent } from '../src/events.ts';
import type { CancelReport } from '../src/result.ts';
import { FakeClock } from './fake-clock.ts';
import { ManualSource } from './manual-source.ts';

/** A build that has begun, with all that a test of its end needs. */
export function started(options: BuildOptions = {}) {
  const source = new ManualSource();
  const clock = new FakeClock();
  const build = startBuild(source, { id: 'b', clock, ...options });
  const types: string[] = [];
  build.attach({ name: 'types', receive: (events) => void types.push(...events.map(({ type }) => type)) });
  source.begin();
  const cancel = async (): Promise<CancelReport | undefined> => (await build.result).cancel;
  return { source, clock, build, types, cancel };
}

/** A leaf in a root, and five steps of it. */
export const phases: SourceEvent[] = [
  { type: 'phase.started', timeNs: 1, phase: 1, name: 'root', thread: 1, origin: 'tensorrt' },
  { type: 'phase.started', timeNs: 2, phase: 2, parent: 1, name: 'leaf', thread: 1, origin: 'tensorrt' },
  { type: 'step.completed', timeNs: 3, phase: 2, step: 4, thread: 1, done: 5 },
];
