import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const unfinishedFolders = new Set();

// Whatever ends this process, what it left half-made goes with it. (SIGKILL aside: see sweepLeftovers.)
process.on('exit', () => {
  for (const folder of unfinishedFolders) rmSync(folder, { recursive: true, force: true });
});

/** Removes the folder should the process end before `finished` is called. */
export function removeUnlessFinished(folder) {
  unfinishedFolders.add(folder);
  return { finished: () => unfinishedFolders.delete(folder) };
}

/** Runs a command without a terminal; resolves to its exit code and all it wrote. A signal ends it and us. */
export function runCaptured(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const stop = (signal) => {
    child.kill('SIGTERM');
    process.stderr.write('\n');
    process.exit(128 + constants.signals[signal]);
  };
  return ended(child, stop).then((code) => ({ code, output: Buffer.concat(chunks).toString() }));
}

/** Runs a command in our place, as far as Node can: its terminal, its signals, its exit code. */
export function runInTerminal(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child too; a second copy would count as a second Ctrl-C.
  const fromTerminal = process.stdin.isTTY || process.stderr.isTTY;
  return ended(child, (signal) => {
    if (signal !== 'SIGINT' || !fromTerminal) child.kill(signal);
  });
}

function ended(child, onSignal) {
  for (const signal of signals) process.on(signal, onSignal);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : code));
  }).finally(() => {
    for (const signal of signals) process.off(signal, onSignal);
  });
}
