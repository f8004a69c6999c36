import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outOfMemoryKills, peakMemoryOf } from '../src/kernel-facts.ts';
import { temporaryFolder } from './temporary-folder.ts';

function killsWith(files: Readonly<Record<string, string>>): number | undefined {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return outOfMemoryKills(root);
}

const vmstat = { 'proc/vmstat': 'nr_free_pages 1\noom_kill 7\n' };
const unified = { 'proc/self/cgroup': '0::/user.slice/build.scope\n' };
const legacy = { 'proc/self/cgroup': '3:cpu:/\n2:memory:/docker/1\n0::/\n' };

describe('kills for want of memory', () => {
  test('are those of our own group', () => {
    const file = 'sys/fs/cgroup/user.slice/build.scope/memory.events';
    expect(killsWith({ ...vmstat, ...unified, [file]: 'low 0\noom 3\noom_kill 2\n' })).toBe(2);
  });

  test('are those of a container that shows its own group as the root', () => {
    expect(killsWith({ ...vmstat, ...unified, 'sys/fs/cgroup/memory.events': 'oom_kill 1\n' })).toBe(1);
  });

  test('are those of our own group in the old hierarchy', () => {
    const file = 'sys/fs/cgroup/memory/docker/1/memory.oom_control';
    expect(killsWith({ ...vmstat, ...legacy, [file]: 'under_oom 0\noom_kill 4\n' })).toBe(4);
  });

  test('are those of the machine where no group counts them', () => {
    expect(killsWith({ ...vmstat, ...unified })).toBe(7);
    expect(killsWith(vmstat)).toBe(7);
  });

  test('are unknown where nobody counts them', () => {
    expect(killsWith({})).toBeUndefined();
    expect(killsWith({ ...unified, 'proc/vmstat': 'nr_free_pages 1\n' })).toBeUndefined();
  });
});

test.runIf(process.platform === 'linux')('the kernel knows the peak memory of a live process only', () => {
  expect(peakMemoryOf(process.pid)).toBeGreaterThan(1e7);
  expect(peakMemoryOf(2 ** 22 + 1)).toBeUndefined();
});
