import { Option } from 'commander';
import type { Command } from 'commander';
import type { EngineBuildOptions, MemoryPools, Shapes } from '@trtscope/native';
import { builderFlags, flagOptions } from './builder-flags.ts';
import { parseMemoryPools } from './memory-pools.ts';
import { ShapeProfiles } from './shape-profiles.ts';
import type { ShapeKind } from './shape-profiles.ts';
import { oneOf, parsed, repeated, someText, wholeNumber } from './values.ts';

/** Options that reach the build under the name they have on the command line. */
type Named = Pick<
  EngineBuildOptions,
  | 'timingCacheFile'
  | 'builderOptimizationLevel'
  | 'stronglyTyped'
  | 'device'
  | 'staticPlugins'
  | 'maxAuxStreams'
  | 'maxTactics'
  | 'hardwareCompatibilityLevel'
  | 'profilingVerbosity'
  | 'maxThreads'
>;

/** What commander makes of the options below. */
export interface EngineValues extends Named {
  readonly memPoolSize?: readonly [keyof MemoryPools, number][];
  readonly computeCapability?: readonly string[];
}

const shapeOptions: readonly [kind: ShapeKind, description: string][] = [
  ['minShapes', 'smallest shapes of dynamic inputs, such as input:1x3x224x224,mask:1x10'],
  ['optShapes', 'shapes to optimize for; stand in for smallest and largest ones that are missing'],
  ['maxShapes', 'largest shapes'],
  ['shapes', 'smallest, optimal and largest shapes in one'],
];

/** Adds the options of an engine build to a command; they are named as trtexec names them. Answers what collects the shapes. */
export function addEngineOptions(command: Command): ShapeProfiles {
  const profiles = new ShapeProfiles();
  command.optionsGroup('Shapes:');
  for (const [kind, description] of shapeOptions) {
    command.addOption(parsed(`--${kind} <list>`, description, (text) => profiles.add(kind, text)));
  }
  command.addOption(
    parsed('--profile <n>', 'the shapes that follow are for optimization profile n, from 0', (text, flag) =>
      profiles.select(text, flag),
    ),
  );
  command.optionsGroup('Engine (named as in trtexec):');
  for (const option of engineOptions()) {
    command.addOption(option);
  }
  command.optionsGroup('Builder flags (of TensorRT; RTX and 11.x have no precision flags):');
  for (const option of flagOptions()) {
    command.addOption(option);
  }
  return profiles;
}

/** The build options that the values stand for; `parseShapes` is `@trtscope/native`'s. */
export function readEngineOptions(
  values: EngineValues & Readonly<Record<string, unknown>>,
  profiles: ShapeProfiles,
  parseShapes: (text: string) => Shapes,
): Omit<EngineBuildOptions, 'model' | 'output'> {
  const flags = builderFlags(values);
  return {
    ...named(values),
    ...profiles.read(parseShapes),
    ...(values.memPoolSize !== undefined && {
      memPoolSize: Object.fromEntries(values.memPoolSize) as MemoryPools,
    }),
    ...(values.computeCapability !== undefined && { computeCapabilities: values.computeCapability }),
    ...(flags.length > 0 && { flags }),
  };
}

function engineOptions(): Option[] {
  return [
    repeated('--memPoolSize <list>', 'limits of memory pools, such as workspace:512M', parseMemoryPools),
    parsed('--timingCacheFile <file>', 'timings to start from and to add to', someText),
    parsed(
      '--builderOptimizationLevel <0-5>',
      "quick build (0) to quick engine (5); default TensorRT's",
      wholeNumber,
    ),
    repeated(
      '--computeCapability <list>',
      'GPUs that an RTX engine is for, such as 8.6,12.0; default the one here, else 8.6',
      capabilities,
    ),
    new Option('--stronglyTyped', 'tensor types follow the network alone (always so in RTX and 11.x)'),
    parsed('--device <n>', 'the GPU to build on, by its CUDA number; default 0', wholeNumber),
    repeated(
      '--staticPlugins <file>',
      'a library of plugins to load first; may be repeated',
      (text, flag) => [someText(text, flag)],
    ),
    parsed('--maxAuxStreams <n>', 'most auxiliary streams per inference stream', wholeNumber),
    parsed('--maxTactics <n>', 'most tactics to time where there is a choice', wholeNumber),
    parsed(
      '--hardwareCompatibilityLevel <level>',
      'none, ampere+ or sameComputeCapability',
      oneOf(['none', 'ampere+', 'sameComputeCapability']),
    ),
    parsed(
      '--profilingVerbosity <level>',
      'layer_names_only, none or detailed',
      oneOf(['layer_names_only', 'none', 'detailed']),
    ),
    parsed('--maxThreads <n>', 'most threads that TensorRT may use', wholeNumber),
  ];
}

// 86, 8.6 and 120 are all in use.
function capabilities(text: string): string[] {
  return text.split(',').map((one) => one.replace(/^(\d{1,2})(\d)$/u, '$1.$2'));
}

function named(values: Named): Named {
  const names: readonly (keyof Named)[] = [
    'timingCacheFile',
    'builderOptimizationLevel',
    'stronglyTyped',
    'device',
    'staticPlugins',
    'maxAuxStreams',
    'maxTactics',
    'hardwareCompatibilityLevel',
    'profilingVerbosity',
    'maxThreads',
  ];
  return Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}
