import type { Build } from '../build.ts';
import { releaseAtEnd } from './release-at-end.ts';

/** Asks for the cancel, with a message of your own and, for programs, a detail. */
export type CustomCancel = (message?: string, detail?: string) => void;

/**
 * Cancels a build when something of your own says so. `start` is called at once; what it answers is called once, at the
 * build's end or when what this answers is called before. Whatever `start` throws is thrown.
 *
 * @example
 * customTrigger(build, (cancel) => {
 *   const timer = setInterval(() => isDiskNearlyFull() && cancel('the disk is nearly full'), 1000);
 *   return () => clearInterval(timer);
 * });
 */
export function customTrigger(
  build: Pick<Build, 'cancel' | 'result'>,
  start: (cancel: CustomCancel) => (() => void) | void,
): () => void {
  let released = false;
  const dispose = start((message = 'a trigger of the program cancelled the build', detail) => {
    if (released) return;
    build.cancel({ source: 'custom', message, ...(detail !== undefined && { detail }) });
  });
  return releaseAtEnd(build, () => {
    released = true;
    dispose?.();
  });
}
