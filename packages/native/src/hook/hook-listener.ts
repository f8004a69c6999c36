import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAddon } from '../addon.ts';
import { descriptorOf, sendFrame } from '../send-frame.ts';
import { HookConnection } from './hook-connection.ts';
import type { HookConnectionOptions } from './hook-connection.ts';

/** What sockaddr_un holds, its end included. */
const maxPathBytes = 108;
const maxConnections = 1000;

export interface HookListenerOptions extends Omit<HookConnectionOptions, 'pid'> {
  /** Users besides our own whose processes may connect, such as those of a container. */
  readonly allowUsers?: readonly number[];
  /** Where to listen. Default: in a folder of our own, which goes with us. */
  readonly path?: string;
}

/** Takes the connections of watched processes, on a socket that is for us alone, and for whom else we allow. */
export class HookListener {
  readonly #server: Server;
  readonly #options: HookListenerOptions;
  readonly path: string;
  readonly #folder: string | undefined;
  readonly #open = new Map<Socket, number>();
  #reported = false;

  private constructor(options: HookListenerOptions) {
    this.#options = options;
    this.#folder = options.path === undefined ? privateFolder() : undefined;
    this.path = options.path ?? join(this.#folder ?? '', 'hook');
    this.#server = createServer((socket) => this.#take(socket));
    this.#server.maxConnections = maxConnections;
    this.#server.on('drop', () => {
      options.onNotice(
        `more than ${maxConnections} processes were watched at once; the others are not watched`,
      );
    });
  }

  /** Rejects where there is no room for a socket. */
  static async open(options: HookListenerOptions): Promise<HookListener> {
    const listener = new HookListener(options);
    if (options.path !== undefined) await clear(options.path);
    // From the first moment on, and for the socket alone.
    const mask = process.umask(0o177);
    listener.#server.listen(listener.path);
    process.umask(mask);
    try {
      await once(listener.#server, 'listening');
    } catch (error) {
      if (listener.#folder !== undefined) rmSync(listener.#folder, { recursive: true });
      throw error;
    }
    if (options.allowUsers !== undefined) {
      if (listener.#folder !== undefined) chmodSync(listener.#folder, 0o711);
      chmodSync(listener.path, 0o666);
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
   * one that is gone all is read first.
   */
  async close(patienceMs: number): Promise<void> {
    this.#server.close();
    const impatience = setTimeout(() => {
      for (const [socket, pid] of this.#open) if (isThere(pid)) socket.destroy();
    }, patienceMs);
    if (this.#open.size > 0) await once(this.#server, 'close');
    clearTimeout(impatience);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #take(socket: Socket): void {
    const peer = loadAddon().peerOf(descriptorOf(socket));
    const users = [process.getuid?.(), ...(this.#options.allowUsers ?? [])];
    if (peer === undefined || !users.includes(peer.user)) {
      this.#options.onNotice(
        `a process of user ${peer?.user ?? 'unknown'} was refused; allow that user with --allow-uid`,
      );
      socket.destroy();
      return;
    }
    this.#reported = true;
    this.#open.set(socket, peer.process);
    socket.on('close', () => this.#open.delete(socket));
    // oxlint-disable-next-line no-new -- it lives by the socket
    new HookConnection(socket, { ...this.#options, pid: peer.process });
  }
}

function isThere(pid: number): boolean {
  try {
    return !/\) [XZ] /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Takes away what a listener that is gone has left. Throws when one is there, or the file is something else. */
async function clear(path: string): Promise<void> {
  if (Buffer.byteLength(path) >= maxPathBytes) {
    throw new RangeError(
      `The path of a socket has at most ${maxPathBytes - 1} bytes, but this has more: "${path}".`,
    );
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isSocket()) throw new TypeError(`"${path}" is there and no socket; name another path.`);
  const probe = connect(path);
  const answered = await new Promise<boolean>((resolve) => {
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
  });
  probe.destroy();
  if (answered)
    throw new TypeError(`Somebody listens at "${path}" already; stop that, or name another path.`);
  rmSync(path);
}

function privateFolder(): string {
  for (const parent of [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp', '/dev/shm']) {
    if (parent === undefined || Buffer.byteLength(join(parent, 'trtscope-XXXXXX', 'hook')) >= maxPathBytes)
      continue;
    try {
      return mkdtempSync(join(parent, 'trtscope-'));
    } catch {
      // The next one may be writable.
    }
  }
  throw new Error('no folder for a socket can be made; set TMPDIR to one with a short path and some room');
}
