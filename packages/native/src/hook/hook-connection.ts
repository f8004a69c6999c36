import type { Socket } from 'node:net';
import { EventDecoder } from '@trtscope/core';
import type { BuildEvent } from '@trtscope/core';
import { sendFrame } from '../send-frame.ts';
import { HookedBuild } from './hooked-build.ts';
import type { Climb } from './hooked-build.ts';

/** What a watched process may write at once without an end of line. */
const maxLineLength = 256 * 1024;

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

/** One watched process: its lines in, limits and cancels out. What makes no sense ends the connection and nothing else. */
export class HookConnection {
  readonly #socket: Socket;
  readonly #options: HookConnectionOptions;
  readonly #decoder: EventDecoder;
  readonly #builds = new Map<string, HookedBuild>();
  #program = '';

  constructor(socket: Socket, options: HookConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#decoder = new EventDecoder({ maxLineLength, onUnknown: (line) => this.#takeLine(line) });
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#hear(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const build of this.#builds.values()) build.lose();
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
      this.#builds.get(id)?.take(events.slice(from, to));
    }
  }

  #takeLine(line: Readonly<Record<string, unknown>>): void {
    switch (line['type']) {
      case 'hello':
        this.#program = textOf(line['program']);
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
    const id = textOf(line['build']);
    const [seconds, nanoseconds] = Array.isArray(line['startedAt']) ? (line['startedAt'] as unknown[]) : [];
    const originNs = /^\d{1,19}$/.exec(textOf(line['originNs']))?.[0];
    if (id === '' || this.#builds.has(id) || originNs === undefined) throw new Error('a build that is none');
    if (!Number.isSafeInteger(seconds) || !Number.isSafeInteger(nanoseconds)) {
      throw new TypeError('a build that began at no time');
    }
    const { pid, graceMs, climb } = this.#options;
    const traceparent = textOf(line['traceparent']);
    const build = new HookedBuild({
      program: this.#program,
      pid,
      originNs: BigInt(originNs),
      startedAt: [seconds as number, nanoseconds as number],
      ...(traceparent !== '' && { traceparent }),
      graceMs,
      climb,
      cancel: () => sendFrame(this.#socket, ['cancel', id]),
      forget: () => this.#builds.delete(id),
    });
    this.#builds.set(id, build);
    this.#options.onBuild(build);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
