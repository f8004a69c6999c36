import { createRequire } from 'node:module';
import { addonPath, requireCompiled } from './native-parts.ts';

/** A process at the other end of a Unix socket, as the kernel has it. */
export interface Peer {
  readonly user: number;
  /** 0 when it is in no process namespace of ours. */
  readonly process: number;
  /** With the number it names one process for good; empty when that is not to be known. */
  readonly started: string;
}

/** One build that the addon runs on a thread of its own. */
export interface AddonBuild {
  /** Asks TensorRT to stop, at its next step. */
  cancel(): void;
}

/** What trtscope.node exports. */
export interface Addon {
  /**
   * Starts a build that cancelByToken knows by its token. `onLines` gets JSON lines, some at a time; `onEnd` is called once,
   * after the last of them, when the build's thread has been joined.
   */
  startBuild(
    token: string,
    words: readonly string[],
    onLines: (lines: string) => void,
    onEnd: () => void,
  ): AddonBuild;
  /** Makes a builder process known by a token. Answers what it is to have as file descriptor 4. */
  openCancelLink(token: string): number;
  /** The builder has it. */
  closeFarEnd(token: string): void;
  closeCancelLink(token: string): void;
  /** Answers whether such a build runs, on whatever thread it was begun. */
  cancelByToken(token: string, source: string, message: string, detail: string): boolean;
  /** What descendants leave behind becomes this process's child, and is found below it. */
  becomeSubreaper(): boolean;
  /** Ends for good what this process has become the parent of and has exited; `own` is its one child that Node waits for. */
  reapAdopted(own: number): void;
  /** How many files this process may open, and its children from now on; answers how many it could before. */
  limitFiles(count: number): number;
  /**
   * Sends a signal to all processes below one, and to itself unless it is this one; 0 only counts them. Answers how many.
   * With `started` none, should the number by now be another process's.
   */
  signalTree(pid: number, signal: number, started?: string): number;
  /** Who is at the other end of a Unix socket. */
  peerOf(fd: number): Peer | undefined;
  /** Notes from now on where a signal comes from that has a handler. */
  noteSenders(signal: number): void;
  /** Whether the last such signal came from the terminal, to every process that it has in front. */
  cameFromTerminal(signal: number): boolean;
}

let loaded: Addon | undefined;

/** Loads the addon. Throws a TrtscopeError with BUILDER_MISSING when it has not been compiled. */
export function loadAddon(): Addon {
  loaded ??= createRequire(import.meta.url)(requireCompiled(addonPath())) as Addon;
  return loaded;
}
