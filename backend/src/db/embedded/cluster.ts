import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, serverEnvironment } from './binaries.ts';
import type { Home } from './home.ts';
import { makeDirectory, replaceFile } from './owned.ts';

/** The superuser of the cluster and owner of its database. */
export const OWNER = 'hostkeep';

/** The owner's password, which only a server reached over TCP asks for. */
export async function passwordOf(home: Home): Promise<string> {
  return await readFile(passwordFile(home), 'utf8');
}

const passwordFile = (home: Home) => join(home.path, 'password');
const STAGING = 'initdb-';

/**
 * Makes the cluster unless it is there; true when it was made. It is built under another name and renamed when
 * whole and on disk, so that one whose making was interrupted is never taken for a cluster. Called with the
 * home's lock held.
 */
export async function ensureCluster(home: Home, binaries: Binaries, durable: boolean): Promise<boolean> {
  for (const name of await readdir(home.path)) {
    if (name.startsWith(STAGING)) await rm(join(home.path, name), { recursive: true, maxRetries: 5 });
  }
  if (existsSync(home.cluster)) {
    await checkVersion(home, binaries);
    return false;
  }
  const staging = join(home.path, `${STAGING}${randomUUID()}`);
  await replaceFile(passwordFile(home), randomBytes(24).toString('base64url'), home.user);
  await makeDirectory(staging, home.user);
  if (!existsSync(home.log)) await makeDirectory(home.log, home.user);
  await initialise(home, binaries, [`--pgdata=${staging}`, ...(durable ? [] : ['--no-sync'])]);
  // The server is given its own. These would be read by one that is started by hand, and say other things.
  for (const name of ['postgresql.conf', 'pg_hba.conf']) await rm(join(staging, name));
  if (durable) await syncDirectory(staging);
  await rename(staging, home.cluster);
  if (durable) await syncDirectory(home.path);
  return true;
}

async function initialise(home: Home, binaries: Binaries, where: string[]): Promise<void> {
  const options = [
    `--username=${OWNER}`,
    `--pwfile=${passwordFile(home)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8', // the same order of text on every system, whatever its libraries
    '--no-instructions',
  ];
  try {
    await promisify(execFile)(binaries.initdb, [...where, ...options], {
      cwd: '/',
      env: serverEnvironment(),
      windowsHide: true,
      ...home.user,
    });
  } catch (error) {
    throw new Error(`PostgreSQL's initdb could not make a database in ${home.path}: ${complaintOf(error)}`, {
      cause: error,
    });
  }
}

function complaintOf(error: unknown): string {
  if (error instanceof Error && 'stderr' in error && error.stderr) return String(error.stderr).trim();
  return error instanceof Error ? error.message : String(error);
}

async function checkVersion(home: Home, binaries: Binaries): Promise<void> {
  const made = (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8')).trim();
  const present = binaries.version.split('.')[0];
  if (made === present) return;
  throw new Error(
    `${home.cluster} was made by PostgreSQL ${made} and this Hostkeep brings ${present}: make a backup with ` +
      'the Hostkeep that wrote it, and restore it with this one',
  );
}

/** So that the names in it outlast a power cut. Windows has no such call, and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
