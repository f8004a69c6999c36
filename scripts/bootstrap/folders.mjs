import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.mjs';
import { note } from './progress.mjs';

export const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What npm sets for the scripts it runs; handed on, it would steer the npm and pnpm that run inside. */
const setByNpm =
  /^(npm_(lifecycle_|package_|command$|execpath$|node_execpath$|config_(local_prefix|prefix|global_prefix|user_agent|npm_version|node_gyp|init_module|noproxy)$).*|INIT_CWD|NODE)$/i;

/** Where things are kept outside the checkout, and the environment that makes every child keep them there. */
export function chooseFolders() {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !setByNpm.test(name)),
  );
  const cache = chooseCache();
  environment.TRTSCOPE_CACHE = cache;
  if (!mayWrite(homedir())) {
    const home = join(cache, 'home');
    environment.XDG_DATA_HOME ??= join(home, 'data');
    environment.XDG_STATE_HOME ??= join(home, 'state');
    environment.XDG_CACHE_HOME = join(home, 'cache');
    environment.npm_config_cache ??= join(home, 'npm');
  }
  return { cache, environment };
}

function chooseCache() {
  const { TRTSCOPE_CACHE, XDG_CACHE_HOME } = process.env;
  const cache = resolve(TRTSCOPE_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'trtscope'));
  if (isWritable(cache)) return cache;
  if (TRTSCOPE_CACHE)
    throw new Problem(`TRTSCOPE_CACHE is ${cache}, which cannot be written to; name another folder.`);
  const { uid } = userInfo();
  const temporary = join(tmpdir(), `trtscope-${uid}`);
  if (!isWritable(temporary) || statSync(temporary).uid !== uid) {
    throw new Problem(
      `neither ${cache} nor ${temporary} can be written to; set TRTSCOPE_CACHE to a folder of yours.`,
    );
  }
  note(`${cache} cannot be written to, so ${temporary} is used; set TRTSCOPE_CACHE to keep it elsewhere.`);
  return temporary;
}

/** Makes the folder where it is not there. */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  return mayWrite(folder);
}

function mayWrite(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
