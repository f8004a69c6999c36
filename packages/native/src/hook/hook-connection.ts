import type { Socket } from 'node:net';
import { EventDecoder } from '@trtscope/core';
import type { BuildEvent } from '@trtscope/core';
import { sendFrame } from '../send-frame.ts';
import { HookedBuild } from './hooked-build.ts';
import type { Climb } from './hooked-build.ts';

/** What a watched process may write at once without an end of line. */
const maxLineLength = 256 * 1024;
/** What of a process's builds under way is kept, in characters. */
const maxKept = 32 * 2 ** 20;
/** What a phase takes beside its names. */
const phaseWeight = 200;
const maxOpenBuilds = 256;
/** What may wait for a process that does not read what it is told. */
const maxUnread = 2 ** 20;
const maxProgramLength = 4096;
// Year 2286, and less than what a trace can hold.
const maxSeconds = 1e10;

export interface HookConnectionOptions {
  /** The process at the other end, as the kernel has it. */
  readonly pid: number | undefined;
  /** The words that limit each build: see cpp/engine/build_request.h. */
  readonly limits: readonly string[];
  readonly graceMs: number;
  readonly climb: Climb;
  onBuild(build: HookedBuild): void;
  /** A sentence for the user. */
  onNotice(sentence: string): void;
}

/** A build under way, and what of it is kept. */
interface OpenBuild {
  readonly build: HookedBuild;
  readonly phases: Set<number>;
  kept: number;
}

/** One watched process: its lines in, limits and cancels out. What makes no sense ends the connection and nothing else. */
export class HookConnection {
  readonly #socket: Socket;
  readonly #options: HookConnectionOptions;
  readonly #decoder: EventDecoder;
  readonly #builds = new Map<string, OpenBuild>();
  #kept = 0;
  #program = '';

  constructor(socket: Socket, options: HookConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#decoder = new EventDecoder({ maxLineLength, onUnknown: (line) => this.#takeLine(line) });
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#hear(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const { build } of this.#builds.values()) build.lose();
    });
    sendFrame(socket, ['welcome', ...options.limits]);
  }

  #hear(text: string): void {
    if (this.#socket.destroyed) return;
    try {
      this.#deal(this.#decoder.feed(text));
      // A fault that comes with good lines before it is held back until the next call.
      this.#decoder.feed('');
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      const { pid = 'unknown' } = this.#options;
      this.#options.onNotice(`process ${pid} said what makes no sense, and is not heard any more: ${what}`);
      this.#socket.destroy();
    }
  }

  // The lines of a build mostly come one after the other.
  #deal(events: readonly BuildEvent[]): void {
    for (let from = 0, to = 0; from < events.length; from = to) {
      const id = events[from]?.build ?? '';
      while (events[to]?.build === id) to += 1;
      const open = this.#builds.get(id);
      if (open === undefined) continue;
      const batch = events.slice(from, to);
      for (const event of batch) this.#check(event, open);
      open.build.take(batch);
    }
  }

  /** Holds an event against what is known of its build, and the build against what can be kept. */
  #check(event: BuildEvent, open: OpenBuild): void {
    if (event.type === 'phase.started') open.phases.add(event.phase);
    if (event.type === 'step.completed' && event.phase !== 0 && !open.phases.has(event.phase)) {
      throw new RangeError(`a step of the phase ${event.phase}, which has not begun`);
    }
    const weight = weightOf(event);
    open.kept += weight;
    this.#kept += weight;
    if (this.#kept > maxKept) throw new RangeError('builds with more phases than can be kept');
  }

  #takeLine(line: Readonly<Record<string, unknown>>): void {
    switch (line['type']) {
      case 'hello':
        this.#program = textOf(line['program']).slice(0, maxProgramLength);
        break;
      case 'notice':
        this.#options.onNotice(textOf(line['message']));
        break;
      case 'build':
        this.#open(line);
        break;
      default:
      // A newer hook may say more.
    }
  }

  #open(line: Readonly<Record<string, unknown>>): void {
    const id = /^[\w-]{1,64}$/.exec(textOf(line['build']))?.[0];
    const originNs = /^\d{1,19}$/.exec(textOf(line['originNs']))?.[0];
    const startedAt = timeOf(line['startedAt']);
    if (id === undefined || this.#builds.has(id) || originNs === undefined || startedAt === undefined) {
      throw new TypeError('a build that is none');
    }
    if (this.#builds.size >= maxOpenBuilds) throw new RangeError(`more than ${maxOpenBuilds} builds at once`);
    const now = process.hrtime.bigint();
    const { pid, graceMs, climb } = this.#options;
    const traceparent = textOf(line['traceparent']);
    const build = new HookedBuild({
      program: this.#program,
      pid,
      // Were it later than now, times would be below zero.
      originNs: BigInt(originNs) < now ? BigInt(originNs) : now,
      startedAt,
      ...(traceparent !== '' && { traceparent }),
      graceMs,
      climb,
      cancel: () => this.#send(['cancel', id]),
      forget: () => {
        this.#kept -= this.#builds.get(id)?.kept ?? 0;
        this.#builds.delete(id);
      },
    });
    this.#builds.set(id, { build, phases: new Set(), kept: 0 });
    this.#options.onBuild(build);
  }

  #send(words: readonly string[]): void {
    sendFrame(this.#socket, words);
    if (this.#socket.writableLength > maxUnread) this.#socket.destroy();
  }
}

// What a build is remembered by; the rest passes.
function weightOf(event: BuildEvent): number {
  if (event.type === 'phase.started')
    return phaseWeight + event.name.length + (event.parentName?.length ?? 0);
  const isKept = event.type === 'cancel.requested' || event.type === 'tensorrt.loaded';
  return isKept ? phaseWeight + JSON.stringify(event).length : 0;
}

function timeOf(value: unknown): readonly [seconds: number, nanoseconds: number] | undefined {
  const [seconds, nanoseconds] = (Array.isArray(value) ? value : []) as unknown[];
  const isTime =
    Number.isSafeInteger(seconds) &&
    Number.isSafeInteger(nanoseconds) &&
    (seconds as number) >= 0 &&
    (seconds as number) < maxSeconds &&
    (nanoseconds as number) >= 0 &&
    (nanoseconds as number) < 1e9;
  return isTime ? [seconds as number, nanoseconds as number] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
