import { randomUUID } from 'node:crypto';
import { loadAddon } from './addon.ts';

/** How `cancelByToken` reaches a builder process: a socket of its own whose one end native code holds. */
export interface CancelLink {
  readonly token: string;
  /** Calls `spawn` with the builder's end, and closes it here. */
  handOver<T>(spawn: (fd: number) => T): T;
  /** The builder is gone. */
  close(): void;
}

/** Opens one; undefined where the addon cannot be loaded, which a builder process does not need. */
export function openCancelLink(): CancelLink | undefined {
  const token = randomUUID();
  let addon: ReturnType<typeof loadAddon>;
  let fd: number;
  try {
    addon = loadAddon();
    fd = addon.openCancelLink(token);
  } catch {
    return undefined;
  }
  return {
    token,
    handOver: (spawn) => {
      try {
        return spawn(fd);
      } catch (error) {
        addon.closeCancelLink(token);
        throw error;
      } finally {
        addon.closeFarEnd(token);
      }
    },
    close: () => addon.closeCancelLink(token),
  };
}
