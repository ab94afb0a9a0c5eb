import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandFailed, script } from '../../host/executor.ts';
import { COMPLETE, FILES, pathOf } from './backup.ts';
import type { Host } from './host.ts';
import { escaped, queryDatabase, restorerOf } from './mariadb.ts';
import { PlanRefused } from './plan.ts';
import { asUser } from './processes.ts';
import type { SiteRecord } from './site-record.ts';
import { siteDirectory, withSnapshot } from './storage.ts';

// A directory may be closed to its owner, too: they open it first, before find looks into it.
const EMPTY = `cd /
for part in htdocs private; do
  find "$1/$part" -xdev -type d ! -perm -u=rwx -exec chmod u+rwx {} \\;
  find "$1/$part" -xdev -mindepth 1 -delete
done`;

// Copies share their blocks with what was there.
const PUT_BACK = `cd /
for part in htdocs private; do cp -a --reflink=auto -- "$2/$part/." "$1/$part/"; done`;

/**
 * Puts files and databases back, as the site's user and as a user of the database: nothing beyond can be changed. What
 * cannot be put back is refused, and then all is as it was: to try again would only take away what was written since.
 */
export async function restoreBackup(
  host: Host,
  directory: string,
  record: SiteRecord,
  backupId: string,
): Promise<void> {
  const path = pathOf(directory, record.webspaceId, backupId);
  const names = await readdir(path).catch((): string[] => []);
  if (!names.includes(COMPLETE)) throw new PlanRefused('there is no such backup');
  const dumps = names.filter((one) => one.endsWith('.sql'));
  const restore = (name: string, into: 'trial' | 'place') =>
    restoreDatabase(host, record, { database: name.slice(0, -'.sql'.length), file: join(path, name), into });
  for (const name of dumps) await restore(name, 'trial');
  await restoreFiles(host, record, join(path, FILES));
  for (const name of dumps) await restore(name, 'place');
}

async function restoreFiles(host: Host, record: SiteRecord, archive: string): Promise<void> {
  const base = siteDirectory(host, record);
  const own = (argv: readonly string[], from?: Readable) =>
    host.executor.pipe([...asUser(record.uid), ...argv], from === undefined ? {} : { from });
  const empty = () => own(script(EMPTY, base));
  await withSnapshot(host, record, async (before) => {
    try {
      await empty();
      const extract = ['tar', '--extract', '--gzip', '--no-same-owner', '--no-overwrite-dir'];
      await own([...extract, '--directory', base], createReadStream(archive));
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      await empty();
      await own(script(PUT_BACK, base, before));
      throw new PlanRefused(`the files cannot be put back: ${error.message}`);
    }
  });
}

// Who defined an object can be said by nobody but root. It is the one who restores, from then on.
const IMPORT = `sed -E '/^(\\/\\*!5[0-9]{4} |CREATE DEFINER=)/s/DEFINER=\`[^\`]*\`@\`[^\`]*\`//' | \
setpriv --reuid "$1" --regid "$1" --clear-groups --no-new-privs \
mariadb --defaults-file="$2" --local-infile=0 --sandbox --database="$3"`;

// The server says no to what is in the dump; not that it cannot be reached, has no room or no time.
const UNREADABLE = /ERROR (?!2\d{3} |1021 |1040 |1053 |1114 |1205 |1213 |1317 )/;

/**
 * A dump holds text of the customer's. It is read by a client without rights on the host, as a user of the database
 * who can change nothing but this one; and first on trial, so that one that cannot be read changes nothing.
 */
async function restoreDatabase(
  host: Host,
  record: SiteRecord,
  {
    database,
    file,
    into,
  }: { readonly database: string; readonly file: string; readonly into: 'trial' | 'place' },
): Promise<void> {
  if (!database.startsWith(`${record.username}_`) || !/^[a-z0-9_]+$/.test(database)) return;
  const [present] = await queryDatabase(
    host,
    `SELECT 1 FROM information_schema.schemata WHERE schema_name = '${database}'`,
  );
  // One that was deleted since is not brought back: its name may have another meaning by now.
  if (present === undefined) return;
  const user = restorerOf(database);
  const uid = String(record.uid);
  const password = randomBytes(18).toString('hex');
  const options = `${host.settings.run}/restore-${randomBytes(6).toString('hex')}`;
  // The trial database has the same name as the user.
  const name = into === 'trial' ? user : database;
  await host.write(
    options,
    `[client]\nsocket=${host.settings.mariadb.socket}\nuser=${user}\npassword=${password}\n`,
    '0640',
    uid,
  );
  try {
    await queryDatabase(
      host,
      `CREATE OR REPLACE DATABASE \`${name}\` CHARACTER SET utf8mb4;
       CREATE USER IF NOT EXISTS '${user}'@'localhost';
       ALTER USER '${user}'@'localhost' IDENTIFIED BY '${password}' ACCOUNT UNLOCK;
       GRANT ALL PRIVILEGES ON \`${escaped(name)}\`.* TO '${user}'@'localhost';`,
    );
    await host.executor.pipe(script(IMPORT, uid, options, name), { from: createReadStream(file) });
  } catch (error) {
    if (into === 'trial' && error instanceof CommandFailed && UNREADABLE.test(error.message))
      throw new PlanRefused(`a dump cannot be read: ${error.message}`);
    throw error;
  } finally {
    // They stay, since what they made runs with their rights, but cannot come in.
    await queryDatabase(
      host,
      `DROP DATABASE IF EXISTS \`${user}\`; ALTER USER IF EXISTS '${user}'@'localhost' ACCOUNT LOCK;`,
    );
    await host.remove(options);
  }
}
