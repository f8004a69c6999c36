import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TrtscopeError } from '@trtscope/core';

// From src as from dist.
const compiled = new URL('../build/release/Release/', import.meta.url);

/** Where `trtscope-builder` is or would be: `TRTSCOPE_BUILDER`, else beside the addon. */
export function builderPath(): string {
  return chosenPath('TRTSCOPE_BUILDER', 'trtscope-builder');
}

/** Where the addon is or would be: `TRTSCOPE_ADDON`, else beside the builder. */
export function addonPath(): string {
  return chosenPath('TRTSCOPE_ADDON', 'trtscope.node');
}

/** Where the library is or would be that `trtscope run` preloads: `TRTSCOPE_HOOK`, else beside the addon. */
export function hookPath(): string {
  return chosenPath('TRTSCOPE_HOOK', 'libtrtscope_hook.so');
}

/** Throws a TrtscopeError with BUILDER_MISSING when a native part has not been compiled. */
export function requireCompiled(path: string): string {
  if (existsSync(path)) return path;
  throw new TrtscopeError(
    'BUILDER_MISSING',
    `"${path}" is not there; compile the native package with "pnpm --filter @trtscope/native run build:native" (it needs cmake and a C++ compiler).`,
  );
}

function chosenPath(variable: string, name: string): string {
  const chosen = process.env[variable];
  return chosen !== undefined && chosen !== '' ? chosen : fileURLToPath(new URL(name, compiled));
}
