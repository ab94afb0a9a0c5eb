import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from '../../host/executor.ts';
import type { Host } from './host.ts';
import { brokenViews, databasesOf } from './mariadb.ts';
import { PlanRefused } from './plan.ts';
import { asUser } from './processes.ts';
import type { SiteRecord } from './site-record.ts';
import { diskUsage, withSnapshot } from './storage.ts';

const UUID = /^[0-9a-f-]{36}$/;
/** What a backup holds, in its directory: this, a dump of each database, and last of all what says that it is whole. */
export const FILES = 'files.tar.gz';
export const COMPLETE = 'complete.json';

export function pathOf(directory: string, webspaceId: string, backupId: string): string {
  if (!UUID.test(webspaceId) || !UUID.test(backupId)) throw new RangeError('not the id of a backup');
  return join(directory, webspaceId, backupId);
}

/** How long one program of a backup may take, in seconds. */
const DEADLINE = 4 * 60 * 60;
/** What an archive may hold beyond the site's quota: names and headers. */
const OVERHEAD_BYTES = 64 * 1024 * 1024;
/** How often the quota the dumps of all databases may be: text is more than what it stands for. And a little. */
const DUMPED = 4;
const DUMPED_BYTES = 1024 * 1024;

/** Ends with an error after so many bytes: copies that share their blocks count once in a quota, but not in an archive. */
function atMost(bytes: number, reason: string): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      passed += chunk.length;
      if (passed > bytes) next(new PlanRefused(reason));
      else next(null, chunk);
    },
  });
}

/** What is written says better why it ended than what was to be read. */
async function both(written: Promise<void>, read: Promise<void>): Promise<void> {
  for (const outcome of await Promise.allSettled([written, read]))
    if (outcome.status === 'rejected') throw outcome.reason;
}

// The server says no to something in the database, and will the next time: not that it was lost, or is shutting down.
const UNREADABLE = /Couldn't execute .*\((?!1053|1317|2006|2013)\d+\)\s*$/s;
/** What timeout ends with when the time was up (coreutils). */
const TOO_LATE = /^timeout ended with 124:/;

function asRefusal(error: unknown): never {
  if (error instanceof CommandFailed && [UNREADABLE, TOO_LATE].some((known) => known.test(error.message)))
    throw new PlanRefused(error.message);
  throw error;
}

// On the host itself, whatever becomes of the connection; it ends the whole group of processes.
const within = (seconds: number) => ['timeout', '--kill-after=5', String(seconds)];

/**
 * Copies a site into a directory of the machine that this program runs on, which is not the site's host, or is
 * storage that the operator mounts there. As the site's user, so nothing is read that they could not read. Its size.
 */
export async function makeBackup(
  host: Host,
  directory: string,
  record: SiteRecord,
  backupId: string,
  deadline = DEADLINE,
): Promise<number> {
  const path = pathOf(directory, record.webspaceId, backupId);
  const known = await readFile(join(path, COMPLETE), 'utf8').catch(() => null);
  if (known !== null) return (JSON.parse(known) as { sizeBytes: number }).sizeBytes;
  const begun = `${path}.${randomBytes(6).toString('hex')}.new`;
  await mkdir(begun, { recursive: true, mode: 0o700 });
  try {
    const { limit } = (await diskUsage(host, record)) ?? { limit: null };
    const quota = limit ?? Number.POSITIVE_INFINITY;
    await withSnapshot(host, record, async (snapshot) => {
      const limited = atMost(quota + OVERHEAD_BYTES, 'the files are more than the quota of the site');
      const written = pipeline(limited, createWriteStream(join(begun, FILES), { mode: 0o600 }));
      const read = host.executor.pipe(
        [
          ...[...within(deadline), ...asUser(record.uid)],
          ...['tar', '--create', '--gzip', '--sparse', '--one-file-system', '--numeric-owner'],
          ...['--ignore-failed-read', '--directory', snapshot, 'htdocs', 'private'],
        ],
        { to: limited },
      );
      await both(written, read).catch(asRefusal);
    });
    let dumped = 0;
    for (const database of await databasesOf(host, record)) {
      const file = join(begun, `${database}.sql`);
      const left = (await brokenViews(host, database)).map((view) => `--ignore-table=${database}.${view}`);
      const limited = atMost(
        DUMPED * quota + DUMPED_BYTES - dumped,
        'the databases are more than the quota of the site',
      );
      const written = pipeline(limited, createWriteStream(file, { mode: 0o600 }));
      const read = host.executor.pipe(
        [
          ...[...within(deadline), 'mariadb-dump', '--no-defaults', '--user=root'],
          ...[`--socket=${host.settings.mariadb.socket}`, '--single-transaction', '--quick', '--routines'],
          ...['--triggers', '--hex-blob', ...left, '--', database],
        ],
        { to: limited },
      );
      await both(written, read).catch(asRefusal);
      dumped += (await stat(file)).size;
    }
    const names = await readdir(begun);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(begun, name))).size));
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    await writeFile(join(begun, COMPLETE), JSON.stringify({ sizeBytes }), { mode: 0o600 });
    await rename(begun, path).catch(async (error: NodeJS.ErrnoException) => {
      // Another run of the same command was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    return sizeBytes;
  } finally {
    await rm(begun, { recursive: true, force: true });
  }
}

export async function removeBackup(directory: string, webspaceId: string, backupId: string): Promise<void> {
  await rm(pathOf(directory, webspaceId, backupId), { recursive: true, force: true });
}
