import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const closedOnExec = 0o2_000_000;
const standardFiles = 3;

interface OpenFile {
  readonly fd: number;
  readonly what: string;
  readonly flags: number;
}

/**
 * The files besides the standard ones that this process was started with, and that its children would not get: Node has
 * everything that it finds closed on exec. To be called before this process has opened files of its own.
 */
export function inheritedFiles(): number[] {
  const files = openFiles();
  // Node's first file has the lowest number that was free: whatever is below was there before.
  const firstOwn = files.find(({ what }) => what === 'anon_inode:[eventpoll]')?.fd ?? 0;
  const ends = (pipe: string) => files.filter(({ what }) => what === pipe).length;
  const isNodes = ({ what }: OpenFile) =>
    /^(?:anon_inode|socket):/u.test(what) ||
    what === '/dev/null' ||
    (what.startsWith('pipe:') && ends(what) > 1);
  return files
    .filter(({ flags }) => (flags & closedOnExec) !== 0)
    .filter((file) => file.fd >= standardFiles && (file.fd < firstOwn || !isNodes(file)))
    .map(({ fd }) => fd);
}

/**
 * How many files this process could have open before Node raised that as far as it may: as many as its parent, if they have
 * the same bound. Undefined where nothing was raised.
 */
export function inheritedFileLimit(): number | undefined {
  const [own, parents] = [fileLimits('self'), fileLimits(process.ppid)];
  if (own?.soft !== own?.hard || own?.hard !== parents?.hard) return undefined;
  return parents?.soft === own?.soft ? undefined : parents?.soft;
}

function openFiles(): OpenFile[] {
  const fds = readdirSync('/proc/self/fd')
    .map(Number)
    .sort((a, b) => a - b);
  return fds.flatMap((fd) => {
    try {
      const flags = /^flags:\s+(\d+)/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
      return [{ fd, what: readlinkSync(`/proc/self/fd/${fd}`), flags: Number.parseInt(flags, 8) }];
    } catch {
      // It was that of the folder, which is closed again.
      return [];
    }
  });
}

function fileLimits(pid: number | 'self'): { readonly soft: number; readonly hard: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/limits`, 'utf8');
    const [, soft, hard] = /^Max open files\s+(\d+)\s+(\d+)/mu.exec(text) ?? [];
    return soft === undefined ? undefined : { soft: Number(soft), hard: Number(hard) };
  } catch {
    return undefined;
  }
}
