import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allModels, demoModel } from '../../scripts/models/catalogue.ts';
import { fetchModels, modelsFolder } from '../../scripts/models.ts';
import { seededRandom } from '../seeded-random.ts';
import { cancelAtRandom } from './cancel-trials.ts';
import type { CancelSubject, CancelTrial } from './cancel-trials.ts';

/** The cancels of one model in one isolation. */
interface CancelGroup extends Pick<CancelSubject, 'isolation'> {
  readonly model: string;
  readonly trials: readonly CancelTrial[];
}

export interface CancelLatency {
  readonly seed: number;
  readonly graceMs: number;
  /** What a build in a process keeps to: two graces and a quarter of a second. */
  readonly boundMs: number;
  readonly groups: readonly CancelGroup[];
}

const graceMs = 200;
const largeModel = 'light_densenet121.onnx';

/** Cancels so many real builds in processes, a tenth of them of a model that takes long, and a twentieth as many in threads. */
export async function measureCancelLatency(cancels: number, seed: number): Promise<CancelLatency> {
  const models = [demoModel, ...allModels.filter(({ file }) => file === largeModel)];
  await fetchModels(models);
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'trtscope-bench-'));
  const groups: CancelGroup[] = [];
  try {
    for (const isolation of ['process', 'thread'] as const) {
      const inAll = isolation === 'process' ? cancels : Math.ceil(cancels / 20);
      const ofLarge = Math.ceil(inAll / 10);
      for (const { file } of models) {
        const subject = { model: join(modelsFolder(), file), isolation, graceMs, folder };
        const count = file === largeModel ? ofLarge : inAll - ofLarge;
        groups.push({ model: file, isolation, trials: await cancelAtRandom(subject, count, random) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { seed, graceMs, boundMs: 2 * graceMs + 250, groups };
}

/** The cancels of builds in processes that took longer than they may, or that something is left of. */
export function faultsOf({ groups, boundMs }: CancelLatency): CancelTrial[] {
  return groups
    .flatMap(({ isolation, trials }) => trials.map((trial) => ({ isolation, trial })))
    .filter(
      ({ isolation, trial }) =>
        trial.left.length > 0 || (isolation === 'process' && trial.returnedAfterMs > boundMs),
    )
    .map(({ trial }) => trial);
}
