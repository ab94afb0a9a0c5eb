import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PLACE = join(ROOT, 'node_modules/.cache/hostkeep/passed');

/** Whether the check passed here for files of this digest. */
export function passedBefore(check: string, digest: string): boolean {
  try {
    return readFileSync(placeOf(check), 'utf8') === digest;
  } catch {
    return false;
  }
}

/** `digest` is of the files before the check: they may have changed during it. */
export function rememberPassed(check: string, digest: string): void {
  try {
    mkdirSync(PLACE, { recursive: true });
    writeFileSync(placeOf(check), digest);
  } catch {
    // A tree that cannot be written: it is checked again the next time.
  }
}

function placeOf(check: string): string {
  return join(PLACE, check.replaceAll(/\W+/g, '-'));
}

/** Of the names and contents of all files with such paths. */
export function digestOf(patterns: readonly string[], root = ROOT): string {
  const hash = createHash('sha256');
  for (const file of globSync([...patterns], { cwd: root }).sort()) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
