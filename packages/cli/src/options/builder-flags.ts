import { Option } from 'commander';
import { oneOf, parsed, repeated, someText } from './values.ts';

/** trtexec's switches with the builder flag that each sets. */
const switches: readonly [name: string, flag: string, description: string][] = [
  ['fp16', 'FP16', 'allow half precision'],
  ['bf16', 'BF16', 'allow bfloat16'],
  ['int8', 'INT8', 'allow 8-bit integers'],
  ['fp8', 'FP8', 'allow 8-bit floats'],
  ['int4', 'INT4', 'allow 4-bit integers'],
  ['noTF32', 'noTF32', 'do not use TF32 (allowed by default)'],
  ['versionCompatible', 'VERSION_COMPATIBLE', 'an engine that later versions load too'],
  ['excludeLeanRuntime', 'EXCLUDE_LEAN_RUNTIME', 'leave the lean runtime out of it'],
  ['refit', 'REFIT', 'weights can be exchanged later'],
  ['stripWeights', 'STRIP_PLAN', 'leave weights out that a refit can put back'],
  ['allowWeightStreaming', 'WEIGHT_STREAMING', 'weights may be streamed'],
  ['directIO', 'DIRECT_IO', 'no reformatting at inputs and outputs'],
  ['allowGPUFallback', 'GPU_FALLBACK', 'layers that a DLA cannot run go to the GPU'],
  ['noCompilationCache', 'DISABLE_COMPILATION_CACHE', 'do not use the compilation cache'],
  ['errorOnTimingCacheMiss', 'ERROR_ON_TIMING_CACHE_MISS', 'fail when a timing is not in the cache'],
];

const sparsity: Readonly<Record<string, readonly string[]>> = { disable: [], enable: ['SPARSE_WEIGHTS'] };
const constraints: Readonly<Record<string, readonly string[]>> = {
  none: [],
  prefer: ['PREFER_PRECISION_CONSTRAINTS'],
  obey: ['OBEY_PRECISION_CONSTRAINTS'],
};

export function flagOptions(): Option[] {
  return [
    ...switches.map(([name, , description]) => new Option(`--${name}`, description)),
    parsed('--sparsity <spec>', 'sparse weights: disable or enable', oneOf(Object.keys(sparsity))),
    parsed('--precisionConstraints <spec>', 'none, prefer or obey', oneOf(Object.keys(constraints))),
    repeated(
      '--builderFlag <name>',
      'any other flag by its C++ name, such as STRICT_NANS; may be repeated',
      (text, flag) => text.split(',').map((name) => someText(name, flag)),
    ),
  ];
}

/** The builder flags that the values of {@link flagOptions} ask for. */
export function builderFlags(values: Readonly<Record<string, unknown>>): string[] {
  return [
    ...switches.filter(([name]) => values[name] === true).map(([, flag]) => flag),
    ...(sparsity[String(values['sparsity'])] ?? []),
    ...(constraints[String(values['precisionConstraints'])] ?? []),
    ...((values['builderFlag'] as readonly string[] | undefined) ?? []),
  ];
}
