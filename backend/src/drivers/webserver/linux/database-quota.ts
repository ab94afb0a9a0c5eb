import type { Host } from './host.ts';
import { escaped, queryDatabase, restorerOf } from './mariadb.ts';

/** What goes when the quota is used up. What is left lets its user read, and make room. */
const GROWING = 'INSERT, UPDATE, CREATE, ALTER, INDEX, CREATE TEMPORARY TABLES';
const DATABASE = /^[a-z][a-z0-9]{2,15}_[a-z0-9_]{1,40}$/;

/**
 * Lets the databases of these sites grow no more, and those of all others again. MariaDB has no quotas: what is written
 * between two looks is beyond.
 */
export async function limitDatabases(host: Host, full: ReadonlySet<string>): Promise<void> {
  const rows = await queryDatabase(host, "SELECT user, replace(db, '\\\\', ''), insert_priv FROM mysql.db");
  for (const row of rows) {
    const [user = '', database = '', insert] = row.split('\t');
    // The one who restored it defines its programs, which run with their rights.
    if (!DATABASE.test(database) || (user !== database && user !== restorerOf(database))) continue;
    const stop = full.has(database.split('_')[0] ?? '');
    if (stop === (insert === 'N')) continue;
    const on = `ON \`${escaped(database)}\`.*`;
    await queryDatabase(
      host,
      stop
        ? `REVOKE ${GROWING} ${on} FROM '${user}'@'localhost'; KILL USER '${user}';`
        : `GRANT ${GROWING} ${on} TO '${user}'@'localhost';`,
    );
  }
}
