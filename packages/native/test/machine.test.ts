import { describe, expect, test } from 'vitest';
import { inspectMachine } from '../src/doctor.ts';
import { outOfMemoryKills, peakMemoryOf } from '../src/kernel-facts.ts';
import { fakeLibraries, rtxNames } from './fake-tensorrt.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('inspectMachine', () => {
  test('tells what builds need and whether it is here', () => {
    const tensorrt = fakeLibraries(temporaryFolder(), rtxNames);
    const facts = inspectMachine({ tensorrt });
    expect(facts).toMatchObject({
      arch: process.arch,
      node: process.versions.node,
      platform: process.platform,
    });
    expect(facts.builder.path).toMatch(/trtscope-builder$/);
    expect(facts.tensorrt.found.map(({ edition }) => edition)).toEqual(['tensorrt_rtx']);
  });
});

describe.runIf(process.platform === 'linux')('what the kernel knows', () => {
  test('the peak memory of a live process, and nothing of one that is gone', () => {
    expect(peakMemoryOf(process.pid)).toBeGreaterThan(1e7);
    expect(peakMemoryOf(2 ** 22 + 1)).toBeUndefined();
  });

  test('kills for want of memory, where it counts them', () => {
    expect(outOfMemoryKills() ?? 0).toBeGreaterThanOrEqual(0);
  });
});
