import { describe, expect, test } from 'vitest';
import { inspectMachine } from '../src/doctor.ts';
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
