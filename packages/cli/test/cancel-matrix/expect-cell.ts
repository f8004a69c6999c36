import { join } from 'node:path';
import { expect } from 'vitest';
import { insteadOf } from './cells.ts';
import { courseOf } from './moments.ts';
import type { Course } from './moments.ts';
import type { Seen } from './perform.ts';
import { exitCodes, reasonOf } from './sources.ts';

const ownPaths = [[], ['start'], ['load TensorRT'], ['parse']];

/** Holds what was seen of a cell on the simulator against docs/cancel.md. */
export function expectDocumented(seen: Seen): void {
  const { exit, scene, text } = seen;
  const instead = insteadOf(scene);
  const course = instead === 'nothing' ? undefined : courseOf(scene);
  if (instead === 'refused') {
    expect(exit).toEqual({ code: 2, signal: null });
    expect(text).toMatch(/^trtscope: --\S*budget: "0s" leaves no time at all; [^\n]*\n$/);
    expectUntouched(seen, []);
  } else if (instead === 'signalled') {
    expect(exit).toEqual({ code: null, signal: 'SIGINT' });
    expectUntouched(seen, []);
  } else if (course === undefined) {
    expectBuilt(seen);
    expect(seen.engine?.bytes).toBe(4096);
  } else {
    expectStopped(seen);
    expectCourse(seen, course);
  }
}

/** A whole engine, and no word of a cancel. */
export function expectBuilt({ scene, result, exit, text, files, engine }: Seen): void {
  const { bytes, sha256 } = engine ?? {};
  expect(result).toMatchObject({ outcome: 'built', engine: { bytes, sha256 } });
  expect(result?.cancel).toBeUndefined();
  expect(engine?.isOld).toBe(false);
  if (exit !== undefined) expect(exit).toEqual({ code: 0, signal: null });
  expect(files).toEqual(exit === undefined ? ['m.engine'] : ['m.engine', 'result.json']);
  expect(text).not.toContain('cancel');
  // Whoever interrupts a command that waits for its reader has it leave without that.
  const isInterrupted = scene.source === 'SIGINT' && scene.moment === 'after the end';
  if (!isInterrupted) expect(lastLineOf(text)).toMatch(/^trtscope: built \S+m\.engine, \S+ [kM]B, in [^;]*$/);
}

/** Cancelled by the cell's source: exit code, reason, bound, last line, and no trace on disk. */
export function expectStopped(seen: Seen): void {
  const { scene, result, exit, text } = seen;
  const reason = reasonOf(scene);
  expect(result).toMatchObject({ outcome: 'cancelled', cancel: { ...reason, later: [], tooLate: false } });
  if (scene.source === 'AbortSignal') expect(exit).toBeUndefined();
  else expect(exit).toEqual({ code: exitCodes[scene.source], signal: null });
  expect(lastLineOf(text)).toMatch(/^trtscope: cancelled after /);
  expect(lastLineOf(text)).toContain(` by ${reason.source}: ${reason.message}`);
  const { requestedAtNs = 0, latencyNs = Infinity, acknowledged } = result?.cancel ?? {};
  const endedAtNs = result?.durationNs ?? 0;
  expect(latencyNs).toBe(endedAtNs - requestedAtNs);
  expect(acknowledged?.atNs ?? requestedAtNs).toBeGreaterThanOrEqual(requestedAtNs);
  expect(acknowledged?.atNs ?? endedAtNs).toBeLessThanOrEqual(endedAtNs);
  if (scene.isolation === 'process') expect(latencyNs / 1e6).toBeLessThan(2 * scene.graceMs + 250);
  expectUntouched(seen, exit === undefined ? [] : ['result.json']);
}

// The report, whole.
function expectCourse({ scene, result }: Seen, { phasePath, step, by, atStep, escalation }: Course): void {
  const cancel = result?.cancel;
  const temporary = join(scene.folder, '.m.engine.PID.TAG.trtscope-tmp');
  const anyNumber = expect.any(Number) as number;
  expect({ ...cancel, temporariesRemoved: cancel?.temporariesRemoved.map(withoutNumbers) }).toEqual({
    ...reasonOf(scene),
    requestedAtNs: anyNumber,
    phasePath: phasePath === 'one of ours' ? expect.any(Array) : phasePath,
    step: step === 'any' ? anyNumber : step,
    acknowledged: by && {
      by,
      atNs: anyNumber,
      phase: atStep === undefined ? undefined : scene.phase,
      step: atStep === 'any' ? anyNumber : atStep,
    },
    latencyNs: anyNumber,
    escalation,
    // Nothing has begun before the start.
    temporariesRemoved: by === undefined ? [] : [temporary],
    later: [],
    tooLate: false,
  });
  if (by === undefined) expect(result?.phases).toEqual([]);
  if (phasePath === 'one of ours') expect(ownPaths).toContainEqual(cancel?.phasePath);
}

function expectUntouched({ scene: { hadOld }, files, engine }: Seen, others: readonly string[]): void {
  expect(files).toEqual([...(hadOld ? ['m.engine'] : []), ...others]);
  expect(engine?.isOld ?? false).toBe(hadOld);
}

function lastLineOf(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function withoutNumbers(path: string): string {
  return path.replace(/\.\d+\.[0-9a-z]+\.trtscope-tmp$/, '.PID.TAG.trtscope-tmp');
}
