import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

// Jaeger's v2 binary; its module counts its versions on in v1 numbers.
const version = 'v1.76.0';
const command = 'github.com/jaegertracing/jaeger/cmd/jaeger';

/**
 * The path of a Jaeger binary, built from its Go module when the cache has none (minutes, once per version). Two at once
 * build twice and keep the first: a folder appears under its final name only when it is whole.
 */
export async function jaegerBinary(): Promise<string> {
  const folder = join(cacheFolder(), `jaeger-${version}`);
  const binary = join(folder, 'jaeger');
  if (existsSync(binary)) return binary;
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  try {
    await go(temporary, 'mod', 'init', 'trtscope.local/jaeger');
    await go(temporary, 'get', '-tool', `${command}@${version}`);
    await go(temporary, 'build', '-o', 'jaeger', command);
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(binary)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return binary;
}

async function go(cwd: string, ...args: string[]): Promise<void> {
  const child = spawn('go', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const code = await new Promise<number | null>((settle, fail) => {
    child.once('error', fail).once('close', settle);
  }).catch((error: unknown) => {
    throw new Error('Building Jaeger needs Go 1.24 or newer on PATH: https://go.dev/doc/install', {
      cause: error,
    });
  });
  if (code !== 0) throw new Error(`go ${args.join(' ')} ended with ${code}:\n${said}`);
}

function cacheFolder(): string {
  const { TRTSCOPE_CACHE, XDG_CACHE_HOME } = process.env;
  return resolve(TRTSCOPE_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'trtscope'));
}

if (import.meta.main) console.log(await jaegerBinary());
