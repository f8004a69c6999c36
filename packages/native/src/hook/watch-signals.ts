import { constants } from 'node:os';
import { loadAddon } from '../addon.ts';

/** What a terminal or a supervisor sends to a command to have it stop, or to tell it something. */
const passedSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const;
type PassedSignal = (typeof passedSignals)[number];

/**
 * Calls back for each signal that this process gets, in place of what it would do; `forAll` when it came from the terminal,
 * which sends it to a command of ours too. Answers what ends that.
 */
export function watchSignals(take: (signal: PassedSignal, forAll: boolean) => void): () => void {
  const addon = loadAddon();
  const handle = (signal: NodeJS.Signals) => {
    take(signal as PassedSignal, addon.cameFromTerminal(constants.signals[signal]));
  };
  for (const signal of passedSignals) {
    process.on(signal, handle);
    addon.noteSenders(constants.signals[signal]);
  }
  return () => {
    for (const signal of passedSignals) process.off(signal, handle);
  };
}
