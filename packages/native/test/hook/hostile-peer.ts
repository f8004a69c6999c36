// A process that connects to the socket of its first word and does there what its second word says, as the user of its
// third word where there is one. Prints a line when it has, and stays until its stdin ends.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { finished, hello, opening, phase, step } from './peer-lines.ts';

const [path = '', deed = '', user] = process.argv.slice(2);

async function connected(): Promise<Socket | undefined> {
  const socket = connect(path).on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
  socket.resume();
  return socket.destroyed ? undefined : socket;
}

const closed = (socket: Socket) =>
  socket.destroyed ? undefined : new Promise((resolve) => socket.once('close', resolve));

/** Sends for as long as the other end hears it; answers how many bytes went. */
async function flood(
  socket: Socket | undefined,
  most: number,
  next: (index: number) => string,
): Promise<number> {
  if (socket === undefined) return 0;
  const gone = closed(socket);
  for (let index = 1; socket.bytesWritten < most; index++) {
    if (socket.destroyed) break;
    if (!socket.write(next(index))) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone]);
    }
  }
  return socket.bytesWritten;
}

const deeds: Readonly<Record<string, () => Promise<string>>> = {
  /** Whether it is heard at all: the welcome comes to those who are. */
  connect: async () => {
    const socket = connect(path).on('error', () => undefined);
    const heard = await new Promise((resolve) => {
      socket.once('data', () => resolve('welcome'));
      socket.once('close', () => resolve('refused'));
    });
    return String(heard);
  },
  build: async () => {
    const socket = await connected();
    const steps = Array.from({ length: 100 }, (_, index) => step('1', 1, index + 1)).join('');
    socket?.end(hello + opening('1') + phase('1', 1) + steps + finished('1'));
    await (socket && closed(socket));
    return 'done';
  },
  'endless line': async () => {
    const socket = await connected();
    socket?.write(hello);
    const sent = await flood(socket, 100e6, () => 'x'.repeat(65_536));
    return sent < 100e6 ? 'cut off' : 'heard to its end';
  },
  phases: async () => {
    const socket = await connected();
    socket?.write(hello + opening('1'));
    const sent = await flood(socket, 1e9, (index) => phase('1', index, 'x'.repeat(10_000)));
    return sent < 1e9 ? 'cut off' : 'heard to its end';
  },
  builds: async () => {
    const socket = await connected();
    socket?.write(hello);
    const sent = await flood(socket, 1e9, (index) => opening(`${index}`));
    return sent < 1e9 ? 'cut off' : 'heard to its end';
  },
  notices: async () => {
    const socket = await connected();
    socket?.write(hello);
    await flood(socket, 1e6, (index) => `${JSON.stringify({ type: 'notice', message: `flood ${index}` })}\n`);
    return 'done';
  },
  garbage: async () => {
    const socket = await connected();
    await flood(socket, 1e6, (index) =>
      String.fromCodePoint(...Array.from({ length: 999 }, (_, at) => (at * index) % 300)),
    );
    return socket?.destroyed ? 'cut off' : 'heard to its end';
  },
  'half a line': async () => {
    const socket = await connected();
    socket?.write(hello.slice(0, 20));
    return 'silent';
  },
  /** 10,000 connections, all kept open that are heard. */
  connections: async () => {
    let heard = 0;
    for (let round = 0; round < 100; round++) {
      const sockets = Array.from({ length: 100 }, () => connect(path).on('error', () => undefined));
      const answers = sockets.map(
        (socket) =>
          new Promise((resolve) => {
            socket.once('data', () => resolve(1));
            socket.once('close', () => resolve(0));
          }),
      );
      for (const answer of await Promise.all(answers)) heard += Number(answer);
    }
    return `${heard} are heard`;
  },
};

if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
console.log(await deeds[deed]?.());
process.stdin.once('end', () => process.exit()).resume();
