import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from './command.ts';
import type { Ended, Running } from './command.ts';
import { compileFixture } from './compile-fixture.ts';

const simulator = fileURLToPath(
  new URL('../../native/build/release/Release/libtrtscope_simulator_tensorrt-rtx-1.7.so', import.meta.url),
);

export interface BuildingOptions {
  /** Of fixtures/building-program.c. */
  readonly mode?: string;
  /** What stands before the program. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How long each build takes at least. Default 0. */
  readonly lastsMs?: number;
  /** While it builds. */
  readonly meanwhile?: Meanwhile;
}

export type Meanwhile = (building: Building) => void | Promise<void>;

interface Building extends Running {
  /** Lets the builds go on. */
  readonly openGate: () => void;
  /** Has the program do what its mode is named after. */
  readonly openModeGate: () => void;
  /** The program's process. */
  readonly pid: number;
}

/** All that a program's builds leave. */
export interface Built extends Ended {
  /** By name, the hash of each. */
  readonly files: Readonly<Record<string, string>>;
}

/** A program whose builds wait, once they have begun, until they may go on. */
export class BuildingProgram {
  readonly folder: string;
  readonly #program: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#program = compileFixture(folder, 'building-program', { words: ['-ldl'] });
  }

  /** Its builds go on when `meanwhile` has resolved. */
  async run({ mode = 'plain', before = [], env, lastsMs = 0, meanwhile }: BuildingOptions): Promise<Built> {
    const output = join(this.folder, 'output');
    const gate = join(this.folder, 'gate');
    const model = join(this.folder, 'model.onnx');
    rmSync(output, { recursive: true, force: true });
    for (const file of [gate, `${model}.gate`]) rmSync(file, { force: true });
    mkdirSync(output);
    writeFileSync(model, script(gate, lastsMs).join('\n'));
    const words = [this.#program, simulator, model, join(output, 'engine'), mode];
    const running = startProgram([...before, ...words], { ...(env && { env }) });
    const openGate = () => writeFileSync(gate, '');
    await running.said('under way');
    await meanwhile?.({
      ...running,
      openGate,
      openModeGate: () => writeFileSync(`${model}.gate`, ''),
      pid: Number(readFileSync(`${model}.pid`, 'utf8')),
    });
    openGate();
    const ended = await running.ended;
    const files = readdirSync(output).map((name) => [name, hashOf(join(output, name))] as const);
    return { ...ended, files: Object.fromEntries(files) };
  }
}

// More phases than fit into any queue of ours and the socket.
const script = (gate: string, lastsMs: number) => [
  'trtscope simulator 1',
  'build',
  'engine 200000 7',
  'phase 3 Building engine',
  'steps 1',
  'log info under way',
  `await ${gate}`,
  'threads 2',
  '  phase 20000 Worker {thread}',
  ...Array.from({ length: 500 }, (_, at) => [`phase 40 Layer ${at}`, 'steps 40', 'finish']).flat(),
  'end',
  `pause ${lastsMs}`,
  'steps 2',
  '',
];

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
