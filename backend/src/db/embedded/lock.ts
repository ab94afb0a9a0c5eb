import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

/**
 * Runs `work` while no other process (nor another caller in this one) holds the same file's lock. The operating
 * system frees it when its holder dies, so there is no stale lock to judge; Node offers no file lock of its own,
 * but the SQLite within it does, on every platform. `waiting` is called once when this takes over two seconds.
 */
export async function withFileLock<T>(file: string, waiting: () => void, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let attempt = 0; !acquired(lock); attempt++) {
      if (attempt === 100) waiting();
      await setTimeout(20);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

function acquired(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
