/** Writes `trtscope: …` to stderr. */
export function complain(message: string): void {
  process.stderr.write(`trtscope: ${oneLine(message)}\n`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Without line ends, and without controls that would steer a terminal.
function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .trim();
}
