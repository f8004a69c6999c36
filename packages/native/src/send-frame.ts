import { writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { encodeFrame } from './frames.ts';

/**
 * Sends words to the process at a socket's other end. It may be gone: then Node's own write would throw away what it has said
 * last, as far as nobody has read that yet.
 */
export function sendFrame(socket: Socket, words: readonly string[]): void {
  if (!socket.writable) return;
  const frame = encodeFrame(words);
  const sent = socket.writableLength === 0 ? writeNow(descriptorOf(socket), frame) : 0;
  if (sent < frame.length) socket.write(frame.subarray(sent));
}

/** Answers -1 when it has none. Node has no public way to it. */
export function descriptorOf(socket: Socket): number {
  return (socket as unknown as { _handle?: { fd?: number } })._handle?.fd ?? -1;
}

function writeNow(fd: number, bytes: Buffer): number {
  if (fd < 0) return 0;
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    // What nobody will read counts as sent.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length;
  }
}
