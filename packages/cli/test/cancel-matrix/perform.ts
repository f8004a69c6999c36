import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { act } from './actors.ts';
import type { Actor, Ended } from './actors.ts';
import { insteadOf, isolations, moments, sources, titleOf } from './cells.ts';
import type { Cell } from './cells.ts';
import { graceMsOf, innermostPhase, scriptOf, there } from './moments.ts';
import { isLimit, limitMsOf } from './sources.ts';
import type { Scene } from './sources.ts';

const simulator = fileURLToPath(
  new URL('../../../native/build/release/Release/libtrtscope_simulator_tensorrt-rtx-1.7.so', import.meta.url),
);
export const oldEngine = 'the engine of an earlier build';
/** What a person reads when a request has come. */
const asked = 'cancelling (';

/** What was seen of a cell. */
export interface Seen extends Ended {
  readonly scene: Scene;
  /** Names of all files but the model, the gate and the file that asks. */
  readonly files: readonly string[];
  /** Of what is at the engine's place. */
  readonly engine?: { readonly bytes: number; readonly sha256: string; readonly isOld: boolean };
}

/**
 * Performs a cell on the simulator, in a folder that it makes in `root`. On a machine too busy to come to the moment before
 * a limit is over, it does so again with twice the time.
 */
export async function perform(cell: Cell, root: string): Promise<Seen> {
  for (let factor = 1; ; factor *= 2) {
    const folder = join(root, `${titleOf(cell).replaceAll(' ', '-')}-${factor}`);
    mkdirSync(folder);
    const limitMs = limitMsOf(cell) * factor;
    const fromNow = cell.moment === 'before start' ? -1000 : limitMs;
    const deadline = new Date(Date.now() + fromNow);
    const [graceMs, phase] = [graceMsOf(cell), innermostPhase(cell.moment)];
    const scene = { ...cell, folder, limitMs, deadline, graceMs, phase, hadOld: hasOld(cell) };
    const model = join(folder, 'm.onnx');
    const output = join(folder, 'm.engine');
    writeFileSync(model, ['trtscope simulator 1', ...scriptOf(cell, folder), ''].join('\n'));
    if (scene.hadOld) writeFileSync(output, oldEngine);
    const actor = act(scene, { model, output, tensorrt: simulator });
    await play(scene, actor);
    const ended = await actor.ended;
    if (factor === 8 || !cameTooEarly(scene, ended)) return { ...ended, scene, ...seenIn(folder, output) };
  }
}

// In every second cell, by row, by column and by isolation.
function hasOld({ source, moment, isolation }: Cell): boolean {
  return (sources.indexOf(source) + moments.indexOf(moment) + isolations.indexOf(isolation)) % 2 === 0;
}

async function play(scene: Scene, actor: Actor): Promise<void> {
  const { source, moment, folder, limitMs } = scene;
  const instead = insteadOf(scene);
  if (instead === 'signalled') actor.ask();
  if (moment === 'before start' ? instead !== 'found' : instead === 'nothing') return;
  if (moment === 'after the end') {
    await actor.over();
    actor.ask();
    if (isLimit(source)) await passing(limitMs + 100);
    actor.readOn();
    return;
  }
  if (!isLimit(source)) {
    // What is to be found is there long before the command has started.
    if (instead !== 'found') await actor.said(there);
    actor.ask();
  }
  await actor.said(asked);
  writeFileSync(join(folder, 'gate'), '');
}

function cameTooEarly({ source, moment }: Cell, { text, result }: Ended): boolean {
  if (!isLimit(source) || result?.cancel === undefined || moment === 'before start') return false;
  const thereAt = text.indexOf(there);
  return thereAt < 0 || thereAt > text.indexOf(asked);
}

/** What is on disk. */
export function seenIn(folder: string, output: string): Pick<Seen, 'files' | 'engine'> {
  const names = readdirSync(folder).toSorted();
  const files = names.filter((name) => !['m.onnx', 'gate', 'stop'].includes(name));
  if (!names.includes(basename(output))) return { files };
  const bytes = readFileSync(output);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { files, engine: { bytes: bytes.length, sha256, isOld: bytes.toString() === oldEngine } };
}
