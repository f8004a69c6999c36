import type { MemoryPools } from '@trtscope/native';
import { UsageError } from '../usage-error.ts';

const pools: readonly (keyof MemoryPools)[] = [
  'workspace',
  'dlaSRAM',
  'dlaLocalDRAM',
  'dlaGlobalDRAM',
  'tacticDRAM',
  'tacticSharedMem',
];
const unitBytes: Readonly<Record<string, number>> = { B: 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Reads `workspace:512M,dlaSRAM:1` as trtexec does: K, M and G are powers of 1,024, and without a unit it is MiB. */
export function parseMemoryPools(text: string, option: string): [pool: keyof MemoryPools, bytes: number][] {
  return text.split(',').map((item) => {
    const [, name, amount, unit = 'M'] = /^(\w+):(\d+(?:\.\d+)?)([BKMG])?$/iu.exec(item) ?? [];
    const pool = pools.find((known) => known === name);
    if (pool === undefined || amount === undefined) {
      throw new UsageError(
        `${option}: "${item}" is not a pool with a size; write it as workspace:512M (pools: ${pools.join(', ')}).`,
      );
    }
    return [pool, Math.round(Number(amount) * (unitBytes[unit.toUpperCase()] ?? 1))];
  });
}
