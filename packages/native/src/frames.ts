/** The most bytes that a frame may hold: FrameReader of cpp/wire/frames.h refuses more. */
export const maxFrameBytes = 1 << 20;

/** Words as they travel down to a builder: a 4-byte little-endian length, then each word ended by a NUL. */
export function encodeFrame(words: readonly string[]): Buffer {
  const body = Buffer.from(words.map((word) => `${word}\0`).join(''));
  if (body.length > maxFrameBytes) {
    throw new RangeError(
      `options: expected at most ${maxFrameBytes} bytes of names and paths, got ${body.length}.`,
    );
  }
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32LE(body.length);
  body.copy(frame, 4);
  return frame;
}
