import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
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
}

/** Takes the connections of watched processes, on a socket in a folder that nobody else may enter. */
export class HookListener {
  readonly #server: Server;
  readonly #options: HookListenerOptions;
  readonly #folder: string;
  readonly #open = new Set<Socket>();
  #reported = false;

  private constructor(options: HookListenerOptions) {
    this.#options = options;
    this.#folder = privateFolder();
    this.#server = createServer((socket) => this.#take(socket));
    this.#server.maxConnections = maxConnections;
    this.#server.on('drop', () => {
      options.onNotice(
        `more than ${maxConnections} processes were watched at once; the others are not watched`,
      );
    });
  }

  static async open(options: HookListenerOptions): Promise<HookListener> {
    const listener = new HookListener(options);
    listener.#server.listen(listener.path);
    await once(listener.#server, 'listening');
    if (options.allowUsers !== undefined) {
      chmodSync(listener.#folder, 0o711);
      chmodSync(listener.path, 0o666);
    }
    return listener;
  }

  get path(): string {
    return join(this.#folder, 'hook');
  }

  /** Whether any process has spoken to us. */
  get reported(): boolean {
    return this.#reported;
  }

  /** Cancels all builds, those that begin later too. */
  cancelEveryBuild(): void {
    for (const socket of this.#open) sendFrame(socket, ['cancel', '*']);
  }

  /** Resolves when every connection is closed, and closes those that are open after `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    this.#server.close();
    const impatience = setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, patienceMs);
    if (this.#open.size > 0) await once(this.#server, 'close');
    clearTimeout(impatience);
    rmSync(this.#folder, { recursive: true, force: true });
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
    this.#open.add(socket);
    socket.on('close', () => this.#open.delete(socket));
    // oxlint-disable-next-line no-new -- it lives by the socket
    new HookConnection(socket, { ...this.#options, pid: peer.process });
  }
}

function privateFolder(): string {
  for (const parent of [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp']) {
    if (parent === undefined || Buffer.byteLength(join(parent, 'trtscope-XXXXXX', 'hook')) >= maxPathBytes)
      continue;
    try {
      return mkdtempSync(join(parent, 'trtscope-'));
    } catch {
      // The next one may be writable.
    }
  }
  throw new Error(
    'There is no folder for a socket: set TMPDIR to one that can be written, with a short path.',
  );
}
