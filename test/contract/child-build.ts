// Builds in a process of its own and says how it went: child-build.ts OPTIONS-AS-JSON
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isTrtscopeError } from '@trtscope/core';
import type { BuildResult } from '@trtscope/core';
import { startEngineBuild } from '@trtscope/native';
import type { EngineBuildOptions } from '@trtscope/native';

export interface ChildReport {
  readonly result?: BuildResult;
  /** What startEngineBuild threw. */
  readonly refusal?: { readonly code: string; readonly message: string };
  /** 99th percentile of how late this process's event loop was. */
  readonly lagP99Ms: number;
  /** Files in the output's folder afterwards. */
  readonly left: readonly string[];
}

async function build(options: EngineBuildOptions): Promise<Pick<ChildReport, 'result' | 'refusal'>> {
  try {
    return { result: await startEngineBuild(options).result };
  } catch (error) {
    if (!isTrtscopeError(error)) throw error;
    return { refusal: { code: error.code, message: error.message } };
  }
}

const options = JSON.parse(process.argv[2] ?? '') as EngineBuildOptions;
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const outcome = await build(options);
delays.disable();
const report: ChildReport = {
  ...outcome,
  lagP99Ms: delays.percentile(99) / 1e6,
  left: readdirSync(dirname(options.output)),
};
console.log(JSON.stringify(report));
