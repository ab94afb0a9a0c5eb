import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lchown, mkdir, rename, writeFile } from 'node:fs/promises';
import type { OsUser } from './os-user.ts';

/*
 * Under root these write into directories that may belong to a lesser user, so they never follow a symbolic link that
 * this user may have put there: names are created, not opened, and then put in place.
 */

/** Makes a directory that only `owner` (undefined: this process's user) may enter. Fails when the name is taken. */
export async function makeDirectory(path: string, owner: OsUser | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await give(path, owner);
}

/** Makes sure of a directory that everyone may enter, whatever this process's umask; one that is there stays as it is. */
export async function ensureOpenDirectory(path: string): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}

/** Writes a file that only `owner` may read, whole or not at all, in the place of any that was there. */
export async function replaceFile(path: string, text: string, owner: OsUser | undefined): Promise<void> {
  const written = `${path}.${randomUUID()}`;
  await writeFile(written, text, { mode: 0o600, flag: 'wx' });
  await give(written, owner);
  await rename(written, path);
}

/** Makes a name itself, not what it may point to, belong to `owner`. */
export async function give(path: string, owner: OsUser | undefined): Promise<void> {
  if (owner !== undefined) await lchown(path, owner.uid, owner.gid);
}
