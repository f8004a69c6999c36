import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { note } from './progress.mjs';
import { removeUnlessFinished } from './run.mjs';

const pollMs = 200;
const foreignStaleMs = 60 * 60 * 1000;

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs `work` while no other process does in the same folder. The lock is a folder that names its owner. */
export async function withLock(folder, work) {
  const lock = join(folder, 'lock');
  const owner = `${hostname()} ${process.pid}`;
  let told = false;
  while (!tryTake(folder, lock, owner)) {
    const holder = readOwner(lock);
    if (holder !== undefined && isStale(lock, holder)) discard(folder, lock, holder);
    else if (!told) {
      told = true;
      note(
        `waiting for another trtscope that prepares this checkout (process ${holder?.split(' ').at(-1) ?? 'unknown'})`,
      );
    }
    await delay(pollMs);
  }
  const held = removeUnlessFinished(lock);
  try {
    return await work();
  } finally {
    held.finished();
    rmSync(lock, { recursive: true, force: true });
  }
}

/** A folder renamed onto one that is not empty fails, so the lock appears at once and with its owner inside. */
function tryTake(folder, lock, owner) {
  const mine = mkdtempSync(join(folder, 'lock-'));
  writeFileSync(join(mine, 'owner'), owner);
  try {
    renameSync(mine, lock);
    return true;
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(lock) {
  try {
    return readFileSync(join(lock, 'owner'), 'utf8');
  } catch {
    return undefined;
  }
}

function isStale(lock, holder) {
  const [host, pid] = holder.split(' ');
  if (host === hostname()) return !isAlive(Number(pid));
  return Date.now() - statSync(lock).mtimeMs > foreignStaleMs;
}

/** Moved away before it is removed: should another process have taken the lock since, it gets it back. */
function discard(folder, lock, holder) {
  const grave = mkdtempSync(join(folder, 'lock-'));
  try {
    renameSync(lock, grave);
    if (readOwner(grave) !== holder) renameSync(grave, lock);
  } catch {
    // Another process was quicker.
  }
  rmSync(grave, { recursive: true, force: true });
}
