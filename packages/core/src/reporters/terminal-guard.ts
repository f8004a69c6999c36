const killers: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGABRT',
  'SIGALRM',
  'SIGUSR2',
  'SIGXCPU',
];

/** What a terminal guard is told to do. Both must be harmless at any moment. */
export interface GuardedTerminal {
  /** Puts the terminal back in order: the process is about to leave, or to be suspended. */
  restore(): void;
  /** The process goes on after it was suspended. */
  resume(): void;
}

const guarded = new Set<GuardedTerminal>();

/**
 * Calls `restore` before the process leaves by its end, `process.exit()`, an uncaught throw or a signal that kills, and
 * around a suspension (Ctrl-Z). A signal that somebody else handles is theirs; any other keeps its effect. Answers what
 * takes the guard away.
 */
export function guardTerminal(terminal: GuardedTerminal): () => void {
  if (guarded.size === 0) {
    install();
  }
  guarded.add(terminal);
  return () => {
    if (guarded.delete(terminal) && guarded.size === 0) {
      remove();
    }
  };
}

function install(): void {
  // First, since another exit handler may end the process for good.
  process.prependListener('exit', restore).on('SIGTSTP', suspend).on('SIGCONT', resume);
  for (const signal of killers) {
    process.on(signal, leave);
  }
}

function remove(): void {
  process.off('exit', restore).off('SIGTSTP', suspend).off('SIGCONT', resume);
  for (const signal of killers) {
    process.off(signal, leave);
  }
}

function leave(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) {
    restore();
    remove();
    process.kill(process.pid, signal);
  }
}

function suspend(): void {
  restore();
  process.kill(process.pid, 'SIGSTOP');
}

function restore(): void {
  for (const terminal of guarded) {
    terminal.restore();
  }
}

function resume(): void {
  for (const terminal of guarded) {
    terminal.resume();
  }
}
