import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = join(import.meta.dirname, '../node_modules/.cache/hostkeep/test-durations.json');

/** How long each file took the last time on this machine, in seconds. Only the order of a run depends on it. */
export function durationsBefore(): Map<string, number> {
  try {
    const entries: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
    if (typeof entries !== 'object' || entries === null) return new Map();
    return new Map(
      Object.entries(entries).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
  } catch {
    return new Map(); // none yet, or cut off
  }
}

/** Adds to what is known. */
export function keepDurations(durations: ReadonlyMap<string, number>): void {
  const all = Object.fromEntries([...durationsBefore(), ...durations].sort(([a], [b]) => (a < b ? -1 : 1)));
  const made = `${FILE}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(made, `${JSON.stringify(all, null, 1)}\n`);
    renameSync(made, FILE); // whole, also when another run does the same
  } catch {
    // A tree that cannot be written: the next run guesses as this one did.
  }
}
