import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { startBuild } from '@trtscope/core';
import type { Build } from '@trtscope/core';
import { onTestFinished } from 'vitest';
import { HookConnection } from '../../src/hook/hook-connection.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The near ends of connections, each with what it made known, and whatever speaks at the far ends. */
export interface Switchboard {
  readonly builds: Build[];
  readonly notices: string[];
  readonly climbed: string[];
  /** What a process would have: a connection of its own. */
  connect(): Promise<Socket>;
}

/** A server that gives each connection to a HookConnection, without asking who is there. */
export async function switchboard({ graceMs = 60_000 } = {}): Promise<Switchboard> {
  const path = join(temporaryFolder(), 'hook');
  const builds: Build[] = [];
  const notices: string[] = [];
  const climbed: string[] = [];
  const server = createServer((socket) => {
    // oxlint-disable-next-line no-new -- it lives by the socket
    new HookConnection(socket, {
      pid: 1,
      limits: [],
      graceMs,
      climb: (rung) => climbed.push(rung),
      onBuild: (build) => builds.push(startBuild(build)),
      onNotice: (sentence) => notices.push(sentence),
    });
  });
  server.listen(path);
  await once(server, 'listening');
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    builds,
    notices,
    climbed,
    connect: async () => {
      const socket = connect(path).on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.resume();
      return socket;
    },
  };
}

/** Resolves when the connection is gone, however it went. */
export const closed = (peer: Socket) => new Promise((resolve) => peer.once('close', resolve));
