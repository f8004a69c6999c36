import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { Build } from '../build.ts';
import { releaseAtEnd } from './release-at-end.ts';

const maxLength = 1000;

/**
 * Cancels a build at the first line of a stream, `process.stdin` by default. The line is the message; what the end of the
 * stream cuts off is a line too, but the end alone is not. It goes with the build's end, or by what it answers, and never
 * keeps the process alive.
 *
 * @example
 * stdinTrigger(build);
 */
export function stdinTrigger(
  build: Pick<Build, 'cancel' | 'result'>,
  stream: NodeJS.ReadableStream = process.stdin,
): () => void {
  const decoder = new StringDecoder('utf8');
  let text = '';
  const cancel = (): void => {
    release();
    const line = text.split('\n', 1)[0]?.trim() ?? '';
    build.cancel({
      source: 'stdin',
      message: line === '' ? 'a line came on stdin' : line.slice(0, maxLength),
    });
  };
  const take = (chunk: Buffer | string): void => {
    text += typeof chunk === 'string' ? chunk : decoder.write(chunk);
    if (text.includes('\n')) cancel();
    // More than a message holds is of no use.
    text = text.slice(0, maxLength);
  };
  const end = (): void => {
    if (text !== '') cancel();
  };
  const release = releaseAtEnd(build, () => {
    stream.off('data', take).off('end', end);
    // Whoever else reads goes on.
    if (stream.listenerCount('data') === 0 && stream.listenerCount('readable') === 0) stream.pause();
    stream.off('error', ignore);
    letKeepAlive(stream, true);
  });
  stream.on('error', ignore).on('end', end).on('data', take);
  letKeepAlive(stream, false);
  return release;
}

/** Whether reading a terminal or a pipe keeps the process alive; a file knows no such thing and is at its end soon. */
function letKeepAlive(
  stream: NodeJS.ReadableStream & Partial<Pick<Socket, 'ref' | 'unref'>>,
  may: boolean,
): void {
  if (may) stream.ref?.();
  else stream.unref?.();
}

/** A stream that breaks brings no line any more, and that is all. */
function ignore(): void {}
