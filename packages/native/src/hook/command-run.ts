import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { startBuild } from '@trtscope/core';
import type { Budget, Build, BuildResult, CancelReason, CancelRequest } from '@trtscope/core';
import { loadAddon } from '../addon.ts';
import { limitWords } from '../build-words.ts';
import { CancelLadder } from '../cancel-ladder.ts';
import type { Rung } from '../cancel-ladder.ts';
import { hookPath, requireCompiled } from '../native-parts.ts';
import { hookEnvironment } from './hook-environment.ts';
import { spawnAlone } from './spawn-command.ts';
import { HookListener } from './hook-listener.ts';
import type { HookedBuild } from './hooked-build.ts';
import { defaultGraceMs, endDescendants, signalTree } from './signal-tree.ts';

// What the processes of a command that has ended may still have to say.
const lastWordsMs = 500;
// All are kept for the result.
const maxBuilds = 10_000;

export interface CommandOptions {
  /** Each build's. */
  readonly budget?: Budget;
  readonly deadline?: Date;
  /** The command's. */
  readonly runBudgetMs?: number;
  /** Of each rung of a cancel. Default 10,000. */
  readonly graceMs?: number;
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Users besides our own whose processes may connect. */
  readonly allowUsers?: readonly number[];
  /** The least severe line of TensorRT's log that is recorded. Default `info`. */
  readonly verbose?: boolean;
  /**
   * This process is there for the command alone: the command gets every file and limit that this process was started with,
   * and what it leaves behind is reaped. Default false.
   */
  readonly alone?: boolean;
  /** In the tick in which a build becomes known. `traceparent` is that of the process's environment. */
  onBuild?(build: Build, traceparent: string | undefined): void;
  /** A sentence about what is not watched. */
  onNotice?(sentence: string): void;
}

export interface CommandResult {
  readonly command: readonly string[];
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
  readonly durationNs: number;
  /** Null when a signal ended it, or it could not be started. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly refused?: { readonly code: string; readonly message: string };
  /** In the order of their beginnings. */
  readonly builds: readonly BuildResult[];
  /** Why the command was cancelled, where it was. */
  readonly cancel?: CancelReason;
  /** Whether any of its processes used TensorRT under watch. */
  readonly watched: boolean;
}

/** A command that runs with all its TensorRT builds under watch. */
export interface CommandRun {
  readonly pid: number | undefined;
  /** The builds that are known so far. */
  readonly builds: readonly Build[];
  /** Asks every build to stop, then ends every process of the command, a grace after the other. */
  cancel(request: CancelRequest): void;
  /** Goes up one rung at once. */
  escalate(): void;
  /** Sends a signal to the command's own process. */
  signal(signal: NodeJS.Signals): void;
  /** Never rejects. */
  readonly result: Promise<CommandResult>;
}

/**
 * Starts a command whose TensorRT builds are watched, whatever processes they run in. It has our terminal and standard files,
 * and nothing in it knows of us but its environment. Rejects with a TrtscopeError BUILDER_MISSING where the hook has not been compiled.
 */
export async function startCommand(
  command: readonly string[],
  options: CommandOptions = {},
): Promise<CommandRun> {
  const hook = requireCompiled(hookPath());
  loadAddon().becomeSubreaper();
  const run = new WatchedCommand(command, options);
  await run.start(hook);
  return run;
}

class WatchedCommand implements CommandRun {
  readonly builds: Build[] = [];
  readonly result: Promise<CommandResult>;
  readonly #command: readonly string[];
  readonly #options: CommandOptions;
  readonly #ladder: CancelLadder;
  readonly #resolve: (result: CommandResult) => void;
  readonly #startedAt = wallClock();
  readonly #beganNs = process.hrtime.bigint();
  #listener: HookListener | undefined;
  #child: ChildProcess | undefined;
  #cancel: CancelReason | undefined;
  #runBudget: NodeJS.Timeout | undefined;

  constructor(command: readonly string[], options: CommandOptions) {
    const { promise, resolve } = Promise.withResolvers<CommandResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#command = command;
    this.#options = options;
    this.#ladder = new CancelLadder(options.graceMs ?? defaultGraceMs, (rung) => this.#climb(rung), {
      leads: true,
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(hook: string): Promise<void> {
    const {
      budget,
      deadline,
      graceMs = defaultGraceMs,
      allowUsers,
      verbose,
      runBudgetMs,
      cwd,
      alone,
    } = this.#options;
    const limits = { ...(budget && { budget }), ...(deadline && { deadline }) };
    const listening = HookListener.open({
      limits: [...limitWords(limits), ...(verbose === true ? ['logSeverity', '4'] : [])],
      graceMs,
      ...(allowUsers && { allowUsers }),
      climb: (rung, { process: pid, started }) => {
        // The command's own ladder does it to all of them.
        if (this.#cancel === undefined) signalTree(pid, rung, started);
      },
      onBuild: (build) => this.#watch(build),
      onNotice: (sentence) => this.#options.onNotice?.(sentence),
    });
    try {
      this.#listener = await listening;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.onNotice?.(`the command runs, but is not watched: ${why}`);
    }
    const ownEnv = this.#options.env ?? process.env;
    const env = this.#listener ? hookEnvironment(ownEnv, hook, this.#listener.path) : ownEnv;
    const [program = '', ...words] = this.#command;
    this.#child =
      alone === true
        ? spawnAlone(this.#command, { env, cwd })
        : spawn(program, words, { stdio: 'inherit', env, cwd });
    this.#child.once('error', (error: NodeJS.ErrnoException) => {
      if (this.#child?.pid === undefined) void this.#end(null, null, error);
    });
    this.#child.once('exit', (code, signal) => void this.#end(code, signal));
    if (runBudgetMs !== undefined) {
      this.#runBudget = setTimeout(() => {
        const message = `the command's budget of ${runBudgetMs / 1000} s is spent`;
        this.cancel({ source: 'budget', message, detail: 'run' });
      }, runBudgetMs);
    }
  }

  cancel({ source = 'call', message = 'the caller cancelled the command', detail }: CancelRequest): void {
    if (this.#cancel !== undefined) return;
    const requestedAtNs = this.#elapsedNs();
    this.#cancel = { source, message, requestedAtNs, ...(detail !== undefined && { detail }) };
    for (const build of this.builds)
      build.cancel({ source, message, ...(detail !== undefined && { detail }) });
    this.#listener?.cancelEveryBuild();
    this.#ladder.begin();
  }

  escalate(): void {
    if (this.#cancel !== undefined) this.#ladder.escalate();
    for (const build of this.builds) build.escalate();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  #watch(hooked: HookedBuild): void {
    if (this.builds.length >= maxBuilds) throw new RangeError(`a command has at most ${maxBuilds} builds`);
    const { budget, deadline } = this.#options;
    const build = startBuild(hooked, { ...(budget && { budget }), ...(deadline && { deadline }) });
    this.builds.push(build);
    this.#options.onBuild?.(build, hooked.traceparent);
    if (this.#cancel !== undefined) build.cancel(this.#cancel);
  }

  #climb(rung: Rung): void {
    if (rung !== 'ask') signalTree(process.pid, rung);
  }

  #elapsedNs(): number {
    return Number(process.hrtime.bigint() - this.#beganNs);
  }

  async #end(
    exitCode: number | null,
    signal: NodeJS.Signals | null,
    fault?: NodeJS.ErrnoException,
  ): Promise<void> {
    const durationNs = this.#elapsedNs();
    clearTimeout(this.#runBudget);
    this.#ladder.stop();
    // What a cancelled command leaves behind is not to go on.
    if (this.#cancel !== undefined) await endDescendants(this.#options.graceMs ?? defaultGraceMs);
    await this.#listener?.close(lastWordsMs);
    const builds = await Promise.all(this.builds.map((build) => build.result));
    this.#resolve({
      command: this.#command,
      startedAt: this.#startedAt,
      durationNs,
      exitCode,
      signal,
      ...(fault && { refused: { code: fault.code ?? '', message: fault.message } }),
      builds,
      ...(this.#cancel && { cancel: this.#cancel }),
      watched: this.#listener?.reported === true,
    });
  }
}

function wallClock(): readonly [seconds: number, nanoseconds: number] {
  const ms = performance.timeOrigin + performance.now();
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
}
