import { existsSync, readdirSync } from 'node:fs';

/** What stops us, as one sentence for the user; `details` is what another program said about it. */
export class Problem extends Error {
  constructor(message, details = '') {
    super(message);
    this.details = details;
  }
}

/** The native parts, and the Node that is brought, are for Linux with glibc. */
export function requireSupportedPlatform() {
  const { platform, arch } = process;
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch) && !isMusl()) return;
  const here = platform === 'linux' && isMusl() ? 'Linux with musl' : platform;
  throw new Problem(
    `this checkout runs on Linux with glibc on x64 or arm64, not on ${here} ${arch}; use such a machine or a container such as debian:12.`,
  );
}

/** The report, which takes its time, is asked only where musl is there at all: it may stand beside glibc. */
function isMusl() {
  const muslIsThere = existsSync('/lib') && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
  return muslIsThere && process.report.getReport().header.glibcVersionRuntime === undefined;
}
