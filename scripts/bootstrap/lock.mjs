import { lstatSync, mkdtempSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
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

/**
 * Runs `work` while no other process does in the same folder. The lock is a symbolic link whose target names its owner: made
 * with that name in it, and taken away, in one step each.
 */
export async function withLock(folder, work) {
  const lock = join(folder, 'lock');
  const owner = `${hostname()} ${process.pid}`;
  let told = false;
  while (!tryTake(lock, owner)) {
    const holder = readOwner(lock);
    if (holder !== undefined && isStale(lock, holder)) discard(folder, lock, holder);
    else if (holder !== undefined && !told) {
      told = true;
      note(`waiting for process ${holder.split(' ')[1]}, which prepares this checkout`);
    }
    await delay(pollMs);
  }
  const held = removeUnlessFinished(lock);
  try {
    return await work();
  } finally {
    held.finished();
    rmSync(lock, { force: true });
  }
}

function tryTake(lock, owner) {
  try {
    symlinkSync(owner, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(lock) {
  try {
    return readlinkSync(lock);
  } catch {
    return undefined;
  }
}

function isStale(lock, holder) {
  const [host, pid] = holder.split(' ');
  if (host === hostname()) return !isAlive(Number(pid));
  return Date.now() - (lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > foreignStaleMs;
}

/** Moved away before it is removed: should another process have taken the lock since, it gets it back. */
function discard(folder, lock, holder) {
  const grave = mkdtempSync(join(folder, 'lock-'));
  try {
    renameSync(lock, join(grave, 'lock'));
    if (readOwner(join(grave, 'lock')) !== holder) renameSync(join(grave, 'lock'), lock);
  } catch {
    // Another process was quicker.
  }
  rmSync(grave, { recursive: true, force: true });
}
