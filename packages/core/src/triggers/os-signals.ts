import type { Build } from '../build.ts';
import { releaseAtEnd } from './release-at-end.ts';

/** Signals that ask a build to stop. */
export type CancelSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const messages: Readonly<Record<CancelSignal, string>> = {
  SIGINT: 'received SIGINT (Ctrl-C)',
  SIGTERM: 'received SIGTERM',
  SIGHUP: 'received SIGHUP (the terminal was closed)',
};
const signals = Object.keys(messages) as CancelSignal[];
/** One for each build: the process has one handler of ours, however many builds there are. */
const watching = new Set<(signal: CancelSignal) => void>();

/**
 * Cancels a build when the process gets SIGINT, SIGTERM or SIGHUP; the same signal again goes up one rung at once, each time.
 * While it is in place the signals do not end the process. It goes with the build's end, or by what it answers.
 *
 * @example
 * const build = startEngineBuild({ model: 'model.onnx', output: 'model.engine' });
 * osSignals(build);
 */
export function osSignals(build: Pick<Build, 'cancel' | 'escalate' | 'result'>): () => void {
  const seen = new Set<CancelSignal>();
  const take = (signal: CancelSignal): void => {
    if (seen.has(signal)) {
      build.escalate();
      return;
    }
    seen.add(signal);
    build.cancel({ source: 'os-signal', message: messages[signal], detail: signal });
  };
  if (watching.size === 0) for (const signal of signals) process.on(signal, handle);
  watching.add(take);
  return releaseAtEnd(build, () => {
    watching.delete(take);
    if (watching.size === 0) for (const signal of signals) process.off(signal, handle);
  });
}

function handle(signal: NodeJS.Signals): void {
  for (const take of watching) take(signal as CancelSignal);
}
