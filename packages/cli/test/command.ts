import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const mainPath = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A recording of a real build that every test may play. */
export function recordingPath(name: string): string {
  return fileURLToPath(new URL(`../../../test/recordings/${name}.jsonl`, import.meta.url));
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout and stderr together hold `text`; rejects when the command ends without. */
  readonly said: (text: string) => Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default `ignore`: it is at its end at once. */
  readonly stdin?: 'pipe';
  /** Leads a process group of its own, as a shell's commands do. */
  readonly detached?: true;
}

/** The environment of a test without what would change how builds are shown or exported. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined &&
      !/^(?:CI|NO_COLOR|FORCE_COLOR|TERM|OTEL_.*|TRACEPARENT|NODE_OPTIONS)$/u.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...more };
}

export function start(args: readonly string[], options: RunOptions = {}): Running {
  return startProgram([process.execPath, mainPath, ...args], options);
}

/** Any program, in the same surroundings. */
export function startProgram(command: readonly string[], options: RunOptions = {}): Running {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'],
    env: cleanEnv(options.env),
    detached: options.detached === true,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  const take = (add: (text: string) => void) => (text: string) => {
    add(text);
    for (const look of waiting) look();
  };
  child.stdout?.setEncoding('utf8').on(
    'data',
    take((text) => (stdout += text)),
  );
  child.stderr?.setEncoding('utf8').on(
    'data',
    take((text) => (stderr += text)),
  );
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (`${stdout}${stderr}`.includes(text)) {
          waiting.delete(look);
          resolve();
        }
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`it ended without saying "${text}": ${stdout}${stderr}`)));
    });
  return { child, ended, said };
}

export function run(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return start(args, options).ended;
}

/** A folder for one test, and what removes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'trtscope-cli-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
