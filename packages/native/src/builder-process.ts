import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { CancelLink } from './cancel-link.ts';
import { sendFrame } from './send-frame.ts';
import { peakMemoryOf } from './kernel-facts.ts';
import { removeLeft } from './temporaries.ts';

/** How a builder process ended. */
export interface BuilderExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started at all. */
  readonly refused?: Error;
}

const keptWords = 4096;
const peakEveryMs = 100;
const afterExitMs = 1000;
// A builder that leaves before its build has ended does so with the code that a shell would show.
const terminatedCode = 143;
const running = new Set<BuilderProcess>();

/** One `trtscope-builder`: words go down its socket, text comes up. It never outlives this process. */
export class BuilderProcess {
  readonly pid: number | undefined;
  /** Resolves when the process is gone and what it wrote has been read. Never rejects. */
  readonly exited: Promise<BuilderExit>;
  readonly #child: ChildProcess;
  // Absent when there was not even a file descriptor left for it.
  readonly #socket: Socket | undefined;
  readonly #link: CancelLink | undefined;
  readonly #temporaries: readonly string[];
  readonly #removed: string[] = [];
  #errorWords = '';
  #peakMemory: number | undefined;

  /** `temporariesOf` names what a builder of that process id may leave behind. */
  constructor(
    path: string,
    temporariesOf: (pid: number) => readonly string[],
    onText: (text: string) => void,
    link: CancelLink | undefined,
  ) {
    const start = (...more: number[]) =>
      spawn(path, [], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...more] });
    this.#child = link === undefined ? start() : link.handOver(start);
    this.#link = link;
    this.pid = this.#child.pid;
    this.#temporaries = this.pid === undefined ? [] : temporariesOf(this.pid);
    this.#socket = (this.#child as Partial<ChildProcess>).stdio?.[3] as Socket | undefined;
    this.#socket?.setEncoding('utf8').on('data', onText);
    // A write that comes after its end is no fault: the exit tells.
    this.#socket?.on('error', () => undefined);
    this.#child.stderr?.setEncoding('utf8').on('data', (words: string) => {
      this.#errorWords = (this.#errorWords + words).slice(-keptWords);
    });
    this.exited = this.#watch();
  }

  send(words: readonly string[]): void {
    if (this.#socket !== undefined) sendFrame(this.#socket, words);
  }

  /** Answers false when it was gone already. */
  kill(): boolean {
    this.#samplePeak();
    return this.#child.kill('SIGKILL');
  }

  /** The last that it wrote to its standard error. */
  get errorWords(): string {
    return this.#errorWords.trim();
  }

  /** The largest resident size that was seen, in bytes. */
  get peakMemoryBytes(): number | undefined {
    return this.#peakMemory;
  }

  /** What it had left when it was gone, and which is removed now. */
  get temporariesRemoved(): readonly string[] {
    return this.#removed;
  }

  async #watch(): Promise<BuilderExit> {
    if (running.size === 0) process.on('exit', killAll);
    running.add(this);
    const sampling = setInterval(() => {
      this.#samplePeak();
    }, peakEveryMs);
    sampling.unref();
    const exit = await this.#exit();
    clearInterval(sampling);
    this.#link?.close();
    this.#removeLeft();
    running.delete(this);
    if (running.size === 0) process.off('exit', killAll);
    return exit;
  }

  #exit(): Promise<BuilderExit> {
    const child = this.#child;
    let patience: NodeJS.Timeout | undefined;
    return new Promise((resolve) => {
      child.on('error', (refused) => {
        if (child.pid === undefined) resolve({ code: null, signal: null, refused });
      });
      child.on('close', (code, signal) => {
        clearTimeout(patience);
        resolve(code === terminatedCode ? { code: null, signal: 'SIGTERM' } : { code, signal });
      });
      // A process that it left behind may hold the pipes open.
      child.on('exit', () => {
        patience = setTimeout(() => {
          child.stderr?.destroy();
          this.#socket?.destroy();
        }, afterExitMs);
        patience.unref();
      });
    });
  }

  /** For when this process ends: there is no time left to ask. */
  killNow(): void {
    this.#child.kill('SIGKILL');
    this.#removeLeft();
  }

  #removeLeft(): void {
    this.#removed.push(...removeLeft(this.#temporaries));
  }

  #samplePeak(): void {
    if (this.pid !== undefined) this.#peakMemory = peakMemoryOf(this.pid) ?? this.#peakMemory;
  }
}

function killAll(): void {
  for (const builder of running) builder.killNow();
}
