import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { loadAddon } from '../addon.ts';
import type { Peer } from '../addon.ts';
import { descriptorOf, sendFrame } from '../send-frame.ts';
import { HookConnection } from './hook-connection.ts';
import type { HookConnectionOptions } from './hook-connection.ts';
import { Notices } from './notices.ts';
import { clearSocketPath, makeSocketFolder, withMask } from './socket-place.ts';

const maxConnections = 1000;
/** A process needs one; with these, one process alone cannot take the places of all. */
const maxOfProcess = 8;
/** How often it is seen at the end whether more comes of a process that is gone. */
const maxLooks = 20;

export interface HookListenerOptions extends Omit<HookConnectionOptions, 'pid' | 'climb'> {
  /** Users besides our own whose processes may connect, such as those of a container. */
  readonly allowUsers?: readonly number[];
  /** Where to listen. Default: in a folder of our own, which goes with us. */
  readonly path?: string;
  climb(rung: 'terminate' | 'kill', peer: Peer): void;
}

/** Takes the connections of watched processes, on a socket that is for us alone, and for whom else we allow. */
export class HookListener {
  readonly path: string;
  readonly #server: Server;
  readonly #options: HookListenerOptions;
  readonly #notices: Notices;
  // What processes say must not drown it.
  readonly #refusals: Notices;
  readonly #folder: string | undefined;
  readonly #open = new Map<Socket, Peer>();
  #reported = false;

  private constructor(options: HookListenerOptions) {
    this.#options = options;
    this.#notices = new Notices((sentence) => options.onNotice(sentence));
    this.#refusals = new Notices((sentence) => options.onNotice(sentence));
    this.#folder = options.path === undefined ? makeSocketFolder(isForOthers(options)) : undefined;
    this.path = options.path ?? join(this.#folder ?? '', 'hook');
    this.#server = createServer((socket) => this.#take(socket));
    this.#server.maxConnections = maxConnections;
    this.#server.on('drop', () => {
      this.#refusals.tell(
        `more than ${maxConnections} processes were watched at once; the others are not watched`,
      );
    });
  }

  /** Rejects where there is no room for a socket. */
  static async open(options: HookListenerOptions): Promise<HookListener> {
    if (options.path !== undefined) await clearSocketPath(options.path);
    const listener = new HookListener(options);
    try {
      const path = { path: listener.path, exclusive: true };
      // Listening begins at once, a fault comes as an event.
      withMask(isForOthers(options) ? 0o111 : 0o177, () => listener.#server.listen(path));
      await once(listener.#server, 'listening');
    } catch (error) {
      listener.#removeFolder();
      throw error;
    }
    return listener;
  }

  /** Whether any process has spoken to us. */
  get reported(): boolean {
    return this.#reported;
  }

  /** Cancels all builds, those that begin later too. */
  cancelEveryBuild(): void {
    for (const socket of this.#open.keys()) sendFrame(socket, ['cancel', '*']);
  }

  /**
   * Resolves when every connection is closed. Those of processes that are still there after `patienceMs` are closed then; of
   * one that is gone all is read first that it has left, but not what others say in its name.
   */
  async close(patienceMs: number): Promise<void> {
    this.#server.close();
    const heard = new Map<Socket, number>();
    let looks = 0;
    const impatience = setInterval(() => {
      looks += 1;
      for (const [socket, { process: pid }] of this.#open) {
        const isSilent = heard.get(socket) === socket.bytesRead;
        if (isSilent || looks > maxLooks || isThere(pid)) socket.destroy();
        heard.set(socket, socket.bytesRead);
      }
    }, patienceMs);
    if (this.#open.size > 0) await once(this.#server, 'close');
    clearInterval(impatience);
    this.#removeFolder();
  }

  #take(socket: Socket): void {
    const peer = loadAddon().peerOf(descriptorOf(socket));
    const refusal = this.#refusalOf(peer);
    if (peer === undefined || refusal !== undefined) {
      this.#refusals.tell(refusal ?? '');
      socket.destroy();
      return;
    }
    this.#reported = true;
    this.#open.set(socket, peer);
    socket.on('close', () => this.#open.delete(socket));
    const pid = peer.process === 0 ? undefined : peer.process;
    // oxlint-disable-next-line no-new -- it lives by the socket
    new HookConnection(socket, {
      ...this.#options,
      pid,
      climb: (rung) => {
        if (peer.started !== '') this.#options.climb(rung, peer);
      },
      onNotice: (sentence) => this.#notices.tell(sentence),
    });
  }

  #refusalOf(peer: Peer | undefined): string | undefined {
    const users = [process.getuid?.(), ...(this.#options.allowUsers ?? [])];
    if (peer === undefined || !users.includes(peer.user)) {
      return `a process of user ${peer?.user ?? 'unknown'} was refused; allow that user with --allow-uid`;
    }
    const sameProcess = [...this.#open.values()].filter((other) => other.process === peer.process);
    return peer.process !== 0 && sameProcess.length >= maxOfProcess
      ? `a process was refused more than ${maxOfProcess} connections`
      : undefined;
  }

  #removeFolder(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isForOthers({ allowUsers = [] }: HookListenerOptions): boolean {
  return allowUsers.length > 0;
}

function isThere(pid: number): boolean {
  try {
    return !/\) [XZ] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
