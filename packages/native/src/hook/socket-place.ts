import { lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What sockaddr_un holds, its end included. */
const maxPathBytes = 108;

/** Calls with a mask for the rights of what is made, so that it has them from its first moment on. */
export function withMask<T>(mask: number, call: () => T): T {
  const before = process.umask(mask);
  try {
    return call();
  } finally {
    process.umask(before);
  }
}

/** Makes a folder of a name that nobody can foresee, for us alone; with `forAll`, others may use what they can name in it. */
export function makeSocketFolder(forAll: boolean): string {
  const name = `trtscope-${randomBytes(8).toString('hex')}`;
  for (const parent of [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp', '/dev/shm']) {
    if (parent === undefined || Buffer.byteLength(join(parent, name, 'hook')) >= maxPathBytes) continue;
    try {
      if (!keepsNames(parent) || (forAll && !isOpenToAll(parent))) continue;
      const folder = join(parent, name);
      withMask(0, () => mkdirSync(folder, { mode: forAll ? 0o711 : 0o700 }));
      return folder;
    } catch {
      // The next one may be writable.
    }
  }
  throw new Error(
    'no folder for a socket can be made; set TMPDIR to one with a short path and some room, which others cannot write or is sticky',
  );
}

/** Takes away what a listener that is gone has left at `path`. Throws when one is there, or the file is something else. */
export async function clearSocketPath(path: string): Promise<void> {
  if (Buffer.byteLength(path) >= maxPathBytes) {
    throw new RangeError(
      `The path of a socket has at most ${maxPathBytes - 1} bytes, but this has more: "${path}".`,
    );
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket()) throw new TypeError(`"${path}" is there and no socket; name another path.`);
  // Any other fault, such as of rights or of a busy listener, does not mean that nobody is there.
  if ((await faultOfConnecting(path)) !== 'ECONNREFUSED')
    throw new TypeError(`Somebody listens at "${path}" already; stop that, or name another path.`);
  rmSync(path);
}

async function faultOfConnecting(path: string): Promise<string | undefined> {
  const probe = connect(path);
  const fault = await new Promise<string | undefined>((resolve) => {
    probe.once('connect', () => resolve(undefined));
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  probe.destroy();
  return fault;
}

/** Whether nobody else can put something of theirs in the place of what we make there. */
function keepsNames(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  const isTrusted = uid === 0 || uid === process.getuid?.();
  return isTrusted && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
}

function isOpenToAll(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (folder === dirname(folder) || isOpenToAll(dirname(folder)));
}
