import { createRequire } from 'node:module';
import { addonPath, requireCompiled } from './native-parts.ts';

/** One build that the addon runs on a thread of its own. */
export interface AddonBuild {
  /** Asks TensorRT to stop, at its next step. */
  cancel(): void;
}

/** What trtscope.node exports. */
export interface Addon {
  /**
   * Starts a build. `onLines` gets JSON lines, some at a time; `onEnd` is called once, after the last of them, when the
   * build's thread has been joined.
   */
  startBuild(words: readonly string[], onLines: (lines: string) => void, onEnd: () => void): AddonBuild;
}

let loaded: Addon | undefined;

/** Loads the addon. Throws a TrtscopeError with BUILDER_MISSING when it has not been compiled. */
export function loadAddon(): Addon {
  loaded ??= createRequire(import.meta.url)(requireCompiled(addonPath())) as Addon;
  return loaded;
}
