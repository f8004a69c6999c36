// Begins a real build and leaves at some moment of it: node exit-child.ts ISOLATION HOW MOMENT FOLDER. Writes the id of the
// process that builds.
import { writeSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { BuildEvent } from '@trtscope/core';
import { cacheFolder, startEngineBuild } from '../src/index.ts';
import type { Isolation } from '../src/index.ts';

const moments: Readonly<Record<string, (event: BuildEvent) => boolean>> = {
  begin: (event) => event.type === 'build.started',
  load: begins('load TensorRT'),
  loaded: (event) => event.type === 'tensorrt.loaded',
  parse: begins('parse'),
  step: (event) => event.type === 'step.completed' && event.done === 500,
  'long step': begins('Determining refit engines'),
  tail: begins('finish'),
  write: begins('write'),
  end: (event) => event.type === 'build.finished',
};

const words = isMainThread ? process.argv.slice(2) : (workerData as readonly string[]);
const [isolation = '', how = '', moment = '', folder = ''] = words;

switch (how) {
  case 'exit':
    await reachMoment();
    process.exit(7);
  case 'throw':
    await reachMoment();
    setImmediate(() => {
      throw new Error('thrown on purpose');
    });
    break;
  case 'SIGINT':
  case 'SIGTERM':
    await reachMoment();
    process.kill(process.pid, how);
    break;
  case 'exit of the worker':
    if (isMainThread) {
      startWorker();
    } else {
      await reachMoment();
      process.exit(3);
    }
    break;
  case 'terminate':
  case 'exit of the main thread':
    if (isMainThread) {
      const worker = startWorker();
      worker.once('message', () => {
        if (how === 'terminate') void worker.terminate();
        else process.exit(7);
      });
    } else {
      await reachMoment();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
      parentPort?.postMessage('reached');
    }
    break;
  default:
    throw new Error(`"${how}" is no way to leave.`);
}

function startWorker(): Worker {
  return new Worker(fileURLToPath(import.meta.url), { workerData: words });
}

async function reachMoment(): Promise<void> {
  const model = join(cacheFolder(), 'models', 'light_resnet50.onnx');
  const output = join(folder, 'out.engine');
  const build = startEngineBuild({ model, output, isolation: isolation as Isolation });
  for await (const event of build.events()) {
    if (event.type === 'build.started') writeSync(1, String(event.pid));
    if (moments[moment]?.(event) === true) return;
  }
  throw new Error(`The build ended without coming to "${moment}".`);
}

function begins(name: string): (event: BuildEvent) => boolean {
  return (event) => event.type === 'phase.started' && event.name === name;
}
