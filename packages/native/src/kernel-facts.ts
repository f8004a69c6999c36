import { readFileSync } from 'node:fs';

/** The largest resident size of a live process so far, in bytes; undefined when it is gone. */
export function peakMemoryOf(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** How many processes of our control group the kernel has killed for want of memory; undefined where it does not say. */
export function outOfMemoryKills(): number | undefined {
  for (const line of textOf('/proc/self/cgroup').split('\n')) {
    const [, controllers, path] = line.split(':');
    const files =
      controllers === ''
        ? [`/sys/fs/cgroup${path}/memory.events`, '/sys/fs/cgroup/memory.events']
        : controllers === 'memory'
          ? [`/sys/fs/cgroup/memory${path}/memory.oom_control`, '/sys/fs/cgroup/memory/memory.oom_control']
          : [];
    for (const file of files) {
      const kills = /^oom_kill (\d+)$/m.exec(textOf(file))?.[1];
      if (kills !== undefined) return Number(kills);
    }
  }
  return undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
