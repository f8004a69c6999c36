import type { CancelRequest } from './build.ts';
import type { Clock } from './clock.ts';

/** How long to sleep at most before the wall clock, which may have been set meanwhile, is read again. */
const napMs = 60_000;

/** Asks once the wall clock has reached `deadline`: at once where it has already. Answers what takes that back. */
export function watchDeadline(
  deadline: Date,
  clock: Clock,
  ask: (request: CancelRequest) => void,
): () => void {
  let takeBack: (() => void) | undefined;
  const look = (): void => {
    const leftMs = leftOf(deadline, clock);
    if (leftMs > 0) {
      takeBack = clock.after(Math.min(leftMs, napMs), look);
      return;
    }
    const detail = deadline.toISOString();
    ask({ source: 'deadline', message: `the deadline ${detail} has passed`, detail });
  };
  look();
  return () => takeBack?.();
}

/** Milliseconds until `deadline`; 0 or less when it has passed. */
export function leftOf(deadline: Date, clock: Clock): number {
  const [seconds, nanoseconds] = clock.wallClock();
  return deadline.getTime() - (seconds * 1000 + nanoseconds / 1e6);
}
