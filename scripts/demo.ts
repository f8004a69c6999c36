// npm run demo, behind scripts/bootstrap.mjs: builds a real ONNX model with the real TensorRT-RTX through the trtscope command, and
// shows the trace that left it by OTLP/HTTP.
//
//   npm run demo [-- --otlp URL]     URL: where your Jaeger or collector takes OTLP/HTTP, such as http://localhost:4318
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOtlpReceiver } from './demo/otlp-receiver.ts';
import type { ReceivedSpan } from './demo/otlp-spans.ts';
import { runTrtscope } from './demo/run-trtscope.ts';
import { spanTree } from './demo/span-tree.ts';
import { noTensorrtBecause, prepareTensorrt } from './tensorrt.ts';

/** What TensorRT-RTX 1.7 does for this model. */
const expected = { phases: 12, steps: 1883 };

const { values } = parseArgs({ options: { otlp: { type: 'string' } } });
const folder = isWritable('.trtscope') ? '.trtscope' : await mkdtemp(join(tmpdir(), 'trtscope-demo-'));
const engine = join(folder, 'light_resnet50.engine');
const result = join(folder, 'light_resnet50.json');

process.exitCode = values.otlp === undefined ? await demoWithReceiver() : await demoTo(values.otlp);

async function demoWithReceiver(): Promise<number> {
  const receiver = await startOtlpReceiver();
  try {
    const exitCode = await build(receiver.url);
    if (exitCode !== 0) return exitCode;
    console.log(`\nThe trace, as it left by OTLP/HTTP:\n\n${spanTree(receiver.spans)}`);
    return conclude(
      countsOf(receiver.spans),
      '  npm run demo -- --otlp http://localhost:4318   the same trace in your Jaeger',
    );
  } finally {
    await receiver.close();
  }
}

async function demoTo(url: string): Promise<number> {
  const exitCode = await build(url);
  if (exitCode !== 0) return exitCode;
  const { counts } = JSON.parse(await readFile(result, 'utf8')) as { counts: Counts };
  return conclude(counts, `  look for the service trtscope in what is behind ${url}`);
}

async function build(otlp: string): Promise<number> {
  const args = ['--otlp', otlp, '--result', result];
  if (noTensorrtBecause !== undefined) {
    console.log(`No real build is possible here (${noTensorrtBecause}): this is a recording of one.\n`);
    return runTrtscope(['replay', 'examples/replay-a-recording/light_resnet50.jsonl', ...args]);
  }
  const { model, library } = await prepareTensorrt();
  return runTrtscope(['build', model, '-o', engine, '--tensorrt', library, ...args]);
}

interface Counts {
  readonly phases: number;
  readonly steps: number;
}

function countsOf(spans: readonly ReceivedSpan[]): Counts {
  const phases = spans.filter((span) => span.attributes['tensorrt.phase.origin'] === 'tensorrt');
  const steps = phases.reduce(
    (sum, span) => sum + Number(span.attributes['tensorrt.phase.steps.completed']),
    0,
  );
  return { phases: phases.length, steps };
}

function conclude({ phases, steps }: Counts, whereTheTraceGoes: string): number {
  console.log(`\n${phases} phases of TensorRT and ${steps.toLocaleString('en-US')} steps.`);
  if (phases !== expected.phases || steps !== expected.steps) {
    console.error(
      `trtscope: that is wrong; there should be ${expected.phases} phases and ${expected.steps} steps.`,
    );
    return 1;
  }
  const lines = [
    noTensorrtBecause === undefined
      ? `The engine is ${engine}, how it was built ${result}.`
      : 'What you saw is a recording; install what is missing, and the demo builds for real.',
    'Next:',
    whereTheTraceGoes,
    '  ./trtscope build your-model.onnx               your own model; --help has the options',
    '  examples/                                      the same from code',
  ];
  console.log(lines.join('\n'));
  return 0;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
