import { builtOrThrow, startBuild } from '@trtscope/core';
import type { Build, BuildOptions, BuildSource, BuiltResult } from '@trtscope/core';
import type { EngineBuildOptions } from './build-options.ts';
import { checkFiles } from './check-files.ts';
import { processSource } from './process-source.ts';
import { threadSource } from './thread-source.ts';
import { validateOptions } from './validate-options.ts';

/**
 * Starts building a TensorRT engine from an ONNX model and returns the build's handle at once.
 * Throws a TypeError or RangeError for a bad option, and a TrtscopeError with MODEL_MISSING or OUTPUT_UNWRITABLE;
 * whatever goes wrong later is the result's.
 *
 * @example
 * const build = startEngineBuild({ model: 'model.onnx', output: 'model.engine' }, { budget: { totalMs: 300_000 } });
 * for await (const event of build.events()) if (event.type === 'phase.started') console.log(event.name);
 * const result = await build.result;
 */
export function startEngineBuild(options: EngineBuildOptions, buildOptions?: BuildOptions): Build {
  return startBuild(engineSource(options), buildOptions);
}

/**
 * Builds an engine and resolves to the built result. Rejects with a BuildCancelledError or a BuildFailedError, which carry
 * the result too, and with what {@link startEngineBuild} throws.
 */
export async function buildEngine(
  options: EngineBuildOptions,
  buildOptions?: BuildOptions,
): Promise<BuiltResult> {
  return builtOrThrow(await startEngineBuild(options, buildOptions).result);
}

function engineSource(options: EngineBuildOptions): BuildSource {
  validateOptions(options);
  const files = checkFiles(options);
  return options.isolation === 'thread' ? threadSource(options, files) : processSource(options, files);
}
