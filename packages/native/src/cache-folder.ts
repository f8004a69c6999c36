import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where TensorRT-RTX and models are kept: `TRTSCOPE_CACHE`, else `trtscope` in `XDG_CACHE_HOME` or `~/.cache`. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['TRTSCOPE_CACHE'];
  if (chosen !== undefined && chosen !== '') {
    return resolve(chosen);
  }
  const shared = env['XDG_CACHE_HOME'];
  return join(
    shared !== undefined && shared !== '' ? resolve(shared) : join(homedir(), '.cache'),
    'trtscope',
  );
}
