import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The largest resident size of a live process so far, in bytes; undefined when it is gone. */
export function peakMemoryOf(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/**
 * How many processes the kernel has killed for want of memory: of our control group, or where nobody counts those, of the
 * machine. Undefined where the kernel counts neither. `root` is where its file systems are.
 */
export function outOfMemoryKills(root = '/'): number | undefined {
  for (const file of countersOf(textOf(join(root, 'proc/self/cgroup')))) {
    const kills = /^oom_kill (\d+)$/m.exec(textOf(join(root, file)))?.[1];
    if (kills !== undefined) return Number(kills);
  }
  return undefined;
}

/** Files that count, the most telling first; a container shows its own group as the root. */
function countersOf(groups: string): string[] {
  const files = groups.split('\n').flatMap((line) => {
    const [, controllers, path = '/'] = line.split(':');
    if (controllers === '') {
      return [join('sys/fs/cgroup', path, 'memory.events'), 'sys/fs/cgroup/memory.events'];
    }
    const folder = 'sys/fs/cgroup/memory';
    return controllers === 'memory'
      ? [join(folder, path, 'memory.oom_control'), join(folder, 'memory.oom_control')]
      : [];
  });
  return [...files, 'proc/vmstat'];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
