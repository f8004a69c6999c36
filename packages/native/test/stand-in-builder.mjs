#!/usr/bin/env node
// Stands in for trtscope-builder: takes the same frames, writes the same lines, and does what STAND_IN says. No TensorRT.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';

const behaviour = process.env['STAND_IN'] ?? 'build';
const wire = new Socket({ fd: 3, readable: true, writable: true });
let received = Buffer.alloc(0);
let seq = 0;
let words = {};

wire.on('data', (bytes) => {
  received = Buffer.concat([received, bytes]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32LE(0)) {
    const end = 4 + received.readUInt32LE(0);
    const [kind, ...rest] = received.subarray(4, end).toString().split('\0').slice(0, -1);
    received = received.subarray(end);
    if (kind === 'build') {
      words = Object.fromEntries(rest.flatMap((word, at) => (at % 2 === 0 ? [[word, rest[at + 1]]] : [])));
      // As one that is still being loaded: signals do what they do to any process.
      if (behaviour !== 'unborn') build();
    } else if (kind === 'cancel') {
      cancel();
    } else {
      terminate();
    }
  }
});
wire.on('end', () => process.exit(9));

const now = () => Number(process.hrtime.bigint() - BigInt(words.originNs));
function say(...events) {
  wire.write(
    events
      .map((event) => {
        const line = { ...(seq === 0 && { v: 1 }), build: words.build, seq, timeNs: now(), ...event };
        seq += 1;
        return `${JSON.stringify(line)}\n`;
      })
      .join(''),
  );
}
const start = (phase, name, origin = 'trtscope', rest = {}) => ({
  type: 'phase.started',
  phase,
  name,
  thread: 7,
  origin,
  ...rest,
});
const finish = (phase, done = 0) => ({ type: 'phase.finished', phase, done });
const temporary = () =>
  join(
    dirname(words.output),
    `.${basename(words.output)}.${process.pid}.${BigInt(words.originNs).toString(36)}.trtscope-tmp`,
  );
const built = () => ({
  type: 'build.finished',
  outcome: 'built',
  engine: { path: words.output, bytes: readFileSync(words.output).length },
});

function write() {
  say(start(3, 'write'));
  writeFileSync(temporary(), 'an engine');
  if (behaviour === 'killed-while-writing') return;
  renameSync(temporary(), words.output);
  if (behaviour === 'killed-in-place') return;
  say(finish(3), built());
  if (behaviour === 'stays') return;
  wire.end(() => process.exit(0));
}

function build() {
  say(
    start(1, 'start', 'trtscope', { timeNs: 0 }),
    finish(1),
    start(2, 'Building engine', 'tensorrt', { steps: 2 }),
  );
  say({ type: 'step.completed', phase: 2, step: 0, done: 1, thread: 7 });
  if (behaviour.startsWith('over-budget')) {
    const reason = { source: 'budget', message: 'spent', detail: 'total', requestedAtNs: now() };
    say({ type: 'cancel.requested', reason });
  }
  switch (behaviour) {
    case 'build':
    case 'stays':
    case 'killed-in-place':
    case 'killed-while-writing':
      say(finish(2, 1));
      write();
      break;
    case 'crash':
      console.error('first\nterminate called\nlast words');
      process.kill(process.pid, 'SIGSEGV');
      break;
    case 'exit':
      console.error('no more disk');
      process.exit(4);
      break;
    case 'gibberish':
      wire.write('{"type":"phase.started"}\n');
      break;
    default:
      setInterval(() => {}, 1000);
  }
}

function cancel() {
  if (behaviour === 'obey') {
    say(
      finish(2, 1),
      { type: 'cancel.acknowledged', by: 'step', phase: 2, step: 1 },
      { type: 'build.finished', outcome: 'cancelled' },
    );
    wire.end(() => process.exit(0));
  }
  if (behaviour === 'crash-when-asked') process.kill(process.pid, 'SIGSEGV');
  if (behaviour === 'speechless') setTimeout(() => process.exit(143), graceMs());
  if (behaviour === 'timed-out') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2 * graceMs());
  setTimeout(terminate, graceMs());
}

const graceMs = () => Number(words.graceNs) / 1e6;

function terminate() {
  if (behaviour !== 'silent') return;
  say(
    { type: 'cancel.escalated', to: 'terminate' },
    { type: 'cancel.acknowledged', by: 'exit' },
    { type: 'build.finished', outcome: 'cancelled' },
  );
  wire.end(() => process.exit(143));
}

if (behaviour !== 'unborn') process.on('SIGTERM', () => process.exit(143));
