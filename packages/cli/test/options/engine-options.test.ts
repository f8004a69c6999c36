import { Command } from 'commander';
import { parseShapes } from '@trtscope/native';
import { describe, expect, it } from 'vitest';
import { addEngineOptions, readEngineOptions } from '../../src/options/engine-options.ts';

function read(...args: string[]) {
  const command = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  const profiles = addEngineOptions(command);
  command.parse(args, { from: 'user' });
  return readEngineOptions(command.opts(), profiles, parseShapes);
}

describe('engine options', () => {
  it('are empty without any', () => {
    expect(read()).toEqual({});
  });

  it('take shapes as trtexec does, with colons and slashes in names', () => {
    expect(read('--minShapes=a/b:0:1x3,c:2', '--maxShapes', 'a/b:0:8x3,c:4')).toEqual({
      minShapes: { 'a/b:0': [1, 3], c: [2] },
      maxShapes: { 'a/b:0': [8, 3], c: [4] },
    });
  });

  it('give the shapes after each --profile to that profile', () => {
    expect(read('--profile=0', '--shapes=x:1', '--profile=1', '--minShapes=x:2', '--maxShapes=x:4')).toEqual({
      profiles: [{ shapes: { x: [1] } }, { minShapes: { x: [2] }, maxShapes: { x: [4] } }],
    });
  });

  it.each([
    [['--shapes=x'], '--shapes: shapes "x": "x" has no input name before a colon'],
    [['--shapes=x:1', '--shapes=y:2'], '--shapes: given twice for one profile'],
    [['--profile=1', '--shapes=x:1'], '--profile: profile 1 comes before profile 0'],
    [['--profile=one'], '--profile: "one" is not a whole number'],
    [['--memPoolSize=workspace'], '--memPoolSize: "workspace" is not a pool with a size'],
    [['--memPoolSize=scratch:1M'], '--memPoolSize: "scratch:1M" is not a pool with a size'],
    [['--device=-1'], '--device: "-1" is not a whole number'],
    [['--sparsity=force'], '--sparsity: "force" is not one of disable, enable'],
  ])('say of %j what is wrong', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });

  it('read sizes of memory pools in MiB unless a unit says otherwise', () => {
    expect(read('--memPoolSize=workspace:512M,dlaSRAM:1', '--memPoolSize=tacticSharedMem:0.5K')).toEqual({
      memPoolSize: { workspace: 512 * 2 ** 20, dlaSRAM: 2 ** 20, tacticSharedMem: 512 },
    });
  });

  it('write compute capabilities with a dot', () => {
    expect(read('--computeCapability=8.6,120', '--computeCapability=75')).toEqual({
      computeCapabilities: ['8.6', '12.0', '7.5'],
    });
  });

  it('turn switches into builder flags', () => {
    expect(
      read(
        '--fp16',
        '--noTF32',
        '--sparsity=enable',
        '--precisionConstraints=obey',
        '--builderFlag=REFIT',
        '--builderFlag=STRICT_NANS',
      ),
    ).toEqual({
      flags: ['FP16', 'noTF32', 'SPARSE_WEIGHTS', 'OBEY_PRECISION_CONSTRAINTS', 'REFIT', 'STRICT_NANS'],
    });
  });

  it('pass the others on by their names', () => {
    expect(
      read(
        '--timingCacheFile=t.cache',
        '--builderOptimizationLevel=5',
        '--stronglyTyped',
        '--staticPlugins=a.so',
        '--staticPlugins=b.so',
        '--hardwareCompatibilityLevel=ampere+',
        '--profilingVerbosity=detailed',
        '--maxThreads=4',
      ),
    ).toEqual({
      timingCacheFile: 't.cache',
      builderOptimizationLevel: 5,
      stronglyTyped: true,
      staticPlugins: ['a.so', 'b.so'],
      hardwareCompatibilityLevel: 'ampere+',
      profilingVerbosity: 'detailed',
      maxThreads: 4,
    });
  });
});
