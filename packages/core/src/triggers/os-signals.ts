import type { Build } from '../build.ts';

/** Signals that ask a build to stop. */
export type CancelSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const messages: Readonly<Record<CancelSignal, string>> = {
  SIGINT: 'received SIGINT (Ctrl-C)',
  SIGTERM: 'received SIGTERM',
  SIGHUP: 'received SIGHUP (the terminal was closed)',
};

/**
 * Cancels a build when the process gets SIGINT, SIGTERM or SIGHUP; the same signal again goes up one rung at once, each time.
 * While it is in place the signals do not end the process. Its handlers go with the build's end, or by what it answers.
 *
 * @example
 * const build = startEngineBuild({ model: 'model.onnx', output: 'model.engine' });
 * osSignals(build);
 */
export function osSignals(build: Pick<Build, 'cancel' | 'escalate' | 'result'>): () => void {
  const seen = new Set<CancelSignal>();
  const handle = (signal: NodeJS.Signals) => {
    const known = signal as CancelSignal;
    if (seen.has(known)) {
      build.escalate();
      return;
    }
    seen.add(known);
    build.cancel({ source: 'os-signal', message: messages[known], detail: known });
  };
  const signals = Object.keys(messages) as CancelSignal[];
  const remove = () => {
    for (const signal of signals) {
      process.off(signal, handle);
    }
  };
  for (const signal of signals) {
    process.on(signal, handle);
  }
  // Never rejects.
  void build.result.then(remove);
  return remove;
}
