import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './home.ts';
import { startOf } from './os-process.ts';
import { makeDirectory, replaceFile } from './owned.ts';

/**
 * Which processes use a server: one file for each, named by process id, holding when that process started.
 * The last to leave stops the server; one that was killed has left, since nothing runs any more under its id
 * and start. All of it is called with the home's lock held.
 */
export interface Tenancy {
  /** Ends this process's use; true when no living process is left that uses the server. */
  leave(): Promise<boolean>;
}

export async function enter(home: Home): Promise<Tenancy> {
  const directory = join(home.path, 'tenants');
  if (!existsSync(directory)) await makeDirectory(directory, home.user);
  const mine = join(directory, `${process.pid}.${randomUUID()}`);
  await replaceFile(mine, startOf(process.pid) ?? '', home.user);
  return {
    leave: async () => {
      await rm(mine, { force: true });
      return (await living(directory)) === 0;
    },
  };
}

async function living(directory: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(directory)) {
    const file = join(directory, name);
    if (startOf(Number.parseInt(name, 10)) === (await readFile(file, 'utf8'))) count++;
    else await rm(file, { force: true });
  }
  return count;
}
