import type { Build, BuildEvent, BuildResult } from '@trtscope/core';

/** A build with all that it said. */
export interface RecordedBuild {
  readonly result: BuildResult;
  readonly events: readonly BuildEvent[];
}

/** Waits for a build that was started in this tick, and keeps every event. */
export async function record(
  build: Build,
  onEvent: (event: BuildEvent) => void = () => undefined,
): Promise<RecordedBuild> {
  const events: BuildEvent[] = [];
  const attachment = build.attach({
    name: 'recorder',
    receive: (batch) => {
      events.push(...batch);
      for (const event of batch) onEvent(event);
    },
  });
  const result = await build.result;
  await attachment.closed;
  return { result, events };
}

/** The messages that were logged, by TensorRT itself or by us. */
export function logOf(events: readonly BuildEvent[], origin: 'tensorrt' | 'trtscope'): string[] {
  return events.flatMap((event) => (event.type === 'log' && event.origin === origin ? [event.message] : []));
}
