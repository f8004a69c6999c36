import { lstat } from 'node:fs';
import { resolve } from 'node:path';
import type { Build } from '../build.ts';
import { releaseAtEnd } from './release-at-end.ts';

const lookEveryMs = 100;

/**
 * Cancels a build when there is a file, or anything else, of that name: one that appears, or that is there already. It is left
 * there. Its folder need not exist, and may come and go. It goes with the build's end, or by what it answers. Throws a
 * TypeError for a path that is none.
 *
 * @example
 * fileTrigger(build, 'stop');
 */
export function fileTrigger(
  build: Pick<Build, 'cancel'> & { readonly result: Promise<unknown> },
  path: string,
): () => void {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError(`The path of a file trigger must name a file, but is ${JSON.stringify(path)}.`);
  }
  const detail = resolve(path);
  let timer: NodeJS.Timeout | undefined;
  let released = false;
  // Looking works where watching does not: in folders that are not there yet, are moved away, or lie on another machine.
  const look = (): void => {
    lstat(detail, (error) => {
      if (released) return;
      if (error === null) {
        release();
        build.cancel({ source: 'file', message: `the file "${path}" is there`, detail });
      } else {
        timer = setTimeout(look, lookEveryMs).unref();
      }
    });
  };
  const release = releaseAtEnd(build, () => {
    released = true;
    clearTimeout(timer);
  });
  look();
  return release;
}
