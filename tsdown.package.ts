import type { UserConfig } from 'tsdown';
import ApiSnapshot from 'tsnapi/rolldown';

/** How every package is built for the registry: ESM and types, checked by publint and attw, its API compared with the committed snapshot. */
export function packageConfig(entry: string[]): UserConfig {
  return {
    entry,
    platform: 'node',
    fixedExtension: true,
    dts: true,
    publint: true,
    attw: { profile: 'esm-only', level: 'error', excludeEntrypoints: [/\.json$/] },
    plugins: [ApiSnapshot()],
    logLevel: 'warn',
  };
}
