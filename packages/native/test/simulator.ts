import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builderPath } from '../src/native-parts.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The libraries of the simulator, by what they simulate, with the version that each tells. */
export const simulatedVersions = {
  'tensorrt-10.0': '10.0.1',
  'tensorrt-10.13': '10.13.3',
  'tensorrt-11.4': '11.4.0',
  'tensorrt-rtx-1.4': '1.4.0',
  'tensorrt-rtx-1.7': '1.7.1',
} as const;
export type SimulatedLayout = keyof typeof simulatedVersions;
export const simulatedLayouts = Object.keys(simulatedVersions) as SimulatedLayout[];

export interface Simulation {
  /** Default: `tensorrt-rtx-1.7`. */
  readonly layout?: SimulatedLayout;
  /** What is to happen: lines of docs/simulator.md, without the first one. Default: nothing, which ends in an engine. */
  readonly script?: string | readonly string[];
  /** Where model and engine are. Default: a folder that is gone after the test. */
  readonly folder?: string;
}

/** Writes a model that is a script for the simulator; answers the options of a build that performs it. */
export function simulate({
  layout = 'tensorrt-rtx-1.7',
  script = '',
  folder = temporaryFolder(),
}: Simulation): {
  readonly model: string;
  readonly output: string;
  readonly tensorrt: string;
} {
  const model = join(folder, 'model.onnx');
  const lines = typeof script === 'string' ? [script] : script;
  writeFileSync(model, ['trtscope simulator 1', ...lines, ''].join('\n'));
  const library = `libtrtscope_simulator_${layout}.so`;
  return { model, output: join(folder, 'model.engine'), tensorrt: join(dirname(builderPath()), library) };
}
