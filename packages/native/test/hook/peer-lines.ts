export const hello = '{"v":1,"type":"hello","pid":1,"program":"/bin/peer"}\n';

/** The line that opens a build. */
export function opening(build: string, more: Readonly<Record<string, unknown>> = {}): string {
  const startedAt = [1_796_083_200, 0];
  return `${JSON.stringify({ type: 'build', build, originNs: '1', startedAt, ...more })}\n`;
}

/** One event's line. */
export function line(build: string, type: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ type, build, seq: 0, timeNs: 1, ...fields })}\n`;
}

export const phase = (build: string, id: number, name = 'Building engine') =>
  line(build, 'phase.started', { phase: id, name, thread: 1, origin: 'tensorrt' });
export const step = (build: string, id: number, done: number) =>
  line(build, 'step.completed', { phase: id, step: done - 1, thread: 1, done });
export const finished = (build: string) => line(build, 'build.finished', { outcome: 'built' });
