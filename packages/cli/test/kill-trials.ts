import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { start } from './command.ts';

/** Which processes are killed. */
export type Victim = 'the command' | 'its builder' | 'both';

/** What was seen of a build whose processes were killed. */
export interface Trial {
  readonly killedAfterMs: number;
  /** The command's exit code, when it was not killed itself. */
  readonly code: number | null;
  /** How long after the kill the last builder process was gone; undefined when it never was. */
  readonly goneAfterMs: number | undefined;
  readonly target: 'old' | 'new' | 'broken';
  /** Files of trtscope's that were left beside the target. */
  readonly left: readonly string[];
}

/** A build in a folder, with the engine that it makes when it is let be. */
export interface Subject {
  readonly args: readonly string[];
  readonly folder: string;
  readonly target: string;
  readonly engine: Buffer;
  /** At most so long it takes. */
  durationMs: number;
}

const oldBytes = Buffer.from('the engine of an earlier build');
const patienceMs = 5000;

/** Starts the build, with an old engine in its place, and kills it at a random moment, before its end. */
export async function killAtRandom(subject: Subject, victim: Victim): Promise<Trial> {
  for (;;) {
    const trial = await attempt(subject, victim);
    if (trial !== undefined) return trial;
  }
}

// Answers undefined when the build had ended before.
async function attempt(subject: Subject, victim: Victim): Promise<Trial | undefined> {
  writeFileSync(subject.target, oldBytes);
  const mark = randomUUID();
  const begun = performance.now();
  const command = start(subject.args, { env: { TRTSCOPE_TEST_MARK: mark } });
  const killedAfterMs = randomInt(Math.ceil(subject.durationMs));
  await Promise.race([passing(killedAfterMs), command.ended]);
  if (command.child.exitCode !== null) {
    const { code: early, stderr } = await command.ended;
    if (early !== 0) throw new Error(`The build failed by itself: ${stderr}`);
    subject.durationMs = Math.min(subject.durationMs, performance.now() - begun);
    return undefined;
  }
  kill(victim, command.child.pid ?? 0, mark);
  const killedAt = performance.now();
  const goneAfterMs = await goneAfter(mark, killedAt, victim);
  const { code } = await command.ended;
  const bytes = readFileSync(subject.target);
  return {
    killedAfterMs,
    code,
    goneAfterMs,
    target: bytes.equals(oldBytes) ? 'old' : bytes.equals(subject.engine) ? 'new' : 'broken',
    left: readdirSync(subject.folder).filter((name) => name.startsWith('.')),
  };
}

function kill(victim: Victim, command: number, mark: string): void {
  // Stopped, it cannot tidy up after its builder.
  if (victim === 'both') signal(command, 'SIGSTOP');
  if (victim !== 'the command') for (const builder of buildersOf(mark)) signal(builder, 'SIGKILL');
  if (victim !== 'its builder') signal(command, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

async function goneAfter(mark: string, since: number, victim: Victim): Promise<number | undefined> {
  if (victim === 'its builder') return 0;
  while (performance.now() - since < patienceMs) {
    if (buildersOf(mark).length === 0) return performance.now() - since;
    await passing(20);
  }
  return undefined;
}

/** Builder processes that were started with this mark in their environment. */
export function buildersOf(mark: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          basename(readlinkSync(`/proc/${pid}/exe`)) === 'trtscope-builder' &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark)
        );
      } catch {
        return false;
      }
    });
}
