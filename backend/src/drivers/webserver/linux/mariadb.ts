import { createHash } from 'node:crypto';
import type { SiteRef } from '../port.ts';
import type { Host } from './host.ts';
import { PlanRefused, type Step } from './plan.ts';

const NAME = /^[a-z][a-z0-9]{2,15}_[a-z0-9_]{1,40}$/;

function check(site: SiteRef, name: string): void {
  if (!NAME.test(name) || !name.startsWith(`${site.username}_`))
    throw new PlanRefused(`${name} is no database of ${site.username}`);
}

/** SQL of the driver's own, in which only names stand that were checked, and hashes. */
async function query(host: Host, sql: string): Promise<string[]> {
  const client = ['mariadb', '--no-defaults', '--user=root', `--socket=${host.settings.mariadb.socket}`];
  const printed = await host.run([...client, '--batch', '--skip-column-names'], sql);
  return printed.split('\n').filter((line) => line !== '');
}

/** What MariaDB keeps of a password (mysql_native_password): the double SHA-1. */
function hashOf(password: string): string {
  const once = createHash('sha1').update(password).digest();
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`;
}

/** For a grant, where the underscores of names would be wildcards. */
export const escaped = (name: string) => name.replaceAll('_', '\\_');

/** A database, and a user of the same name from this host who can use it and nothing else. */
export function databaseStep(host: Host, site: SiteRef, name: string, password: string | null): Step {
  check(site, name);
  const hash = password === null ? null : hashOf(password);
  return {
    name: 'database',
    async isDone() {
      const [row] = await query(
        host,
        `SELECT authentication_string, EXISTS (SELECT 1 FROM information_schema.schemata WHERE schema_name = '${name}'),
           EXISTS (SELECT 1 FROM mysql.db WHERE user = '${name}')
         FROM mysql.user WHERE user = '${name}' AND host = 'localhost'`,
      );
      const [stored, database, grant] = row?.split('\t') ?? [];
      return database === '1' && grant === '1' && (hash === null || stored === hash);
    },
    async apply() {
      const identified = hash === null ? '' : ` IDENTIFIED BY PASSWORD '${hash}'`;
      const grant = `GRANT ALL PRIVILEGES ON \`${escaped(name)}\`.* TO '${name}'@'localhost';`;
      await query(
        host,
        `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4;
         CREATE USER IF NOT EXISTS '${name}'@'localhost'${hash === null ? '' : identified} WITH MAX_USER_CONNECTIONS 1${hash === null ? ' ACCOUNT LOCK' : ''};
         ${hash === null ? '' : `ALTER USER '${name}'@'localhost'${identified};`}
         ${(await hasRights(host, name)) ? '' : grant}`,
      );
    },
    undo: () => dropDatabase(host, name),
  };
}

/** Of one user of a database at most: more than a site has processes of PHP. */
const MOST_CONNECTIONS = 20;
/** The part of the server's connections that one site may hold. */
const SHARE = 5;

/**
 * The users of a site's databases hold together no more than a part of the server's connections, however many they
 * are. MariaDB limits single users only, so each gets the same number of them, and one at least.
 */
export function connectionsStep(host: Host, site: SiteRef): Step {
  const of = `user LIKE '${site.username}\\_%'`;
  // An operator's own user may begin with the same name; a database of the same name only a customer's has.
  const own = `${of} AND host = 'localhost' AND user IN (SELECT schema_name FROM information_schema.schemata)`;
  let most = 1;
  let others: string[] = [];
  return {
    name: 'database connections',
    async isDone() {
      const rows = await query(
        host,
        `SELECT user, max_user_connections, @@max_connections FROM mysql.user WHERE ${own}`,
      );
      const users = rows.map((row) => row.split('\t'));
      const shared = Math.floor(Number(users[0]?.[2] ?? 0) / SHARE / users.length);
      most = Math.max(1, Math.min(MOST_CONNECTIONS, shared));
      others = users.filter(([, given]) => given !== String(most)).map(([user = '']) => user);
      return others.length === 0;
    },
    async apply() {
      for (const user of others)
        await query(host, `ALTER USER '${user}'@'localhost' WITH MAX_USER_CONNECTIONS ${most};`);
      // Those that are open already count as well, and nobody else would end them.
      const beyond = `SELECT user FROM information_schema.processlist WHERE ${of} AND user IN (SELECT schema_name FROM information_schema.schemata) GROUP BY user HAVING count(*) > ${most}`;
      for (const user of await query(host, beyond)) await query(host, `KILL USER '${user}';`);
    },
    undo: async () => {},
  };
}

/** Whether a database's user has any: what a used-up quota took of them (database-quota.ts) is not given back here. */
async function hasRights(host: Host, name: string): Promise<boolean> {
  const rows = await query(host, `SELECT 1 FROM mysql.db WHERE user = '${name}' AND host = 'localhost'`);
  return rows.length > 0;
}

/** The user who restores a database: no customer's, whose names begin with a letter. */
export function restorerOf(database: string): string {
  return `_${createHash('sha256').update(database).digest('hex').slice(0, 30)}`;
}

async function dropDatabase(host: Host, name: string): Promise<void> {
  await query(
    host,
    `DROP USER IF EXISTS '${name}'@'localhost', '${restorerOf(name)}'@'localhost'; DROP DATABASE IF EXISTS \`${name}\`;`,
  );
}

export function noDatabaseStep(host: Host, site: SiteRef, name: string): Step {
  check(site, name);
  return {
    name: 'no database',
    async isDone() {
      const rows = await query(
        host,
        `SELECT 1 FROM mysql.user WHERE user IN ('${name}', '${restorerOf(name)}')
         UNION ALL SELECT 1 FROM information_schema.schemata WHERE schema_name = '${name}'`,
      );
      return rows.length === 0;
    },
    apply: () => dropDatabase(host, name),
    undo: async () => {},
  };
}

/** The databases of a site, by the beginning of their names: no user's name holds an underscore. */
export function databasesOf(host: Host, { username }: Pick<SiteRef, 'username'>): Promise<string[]> {
  return query(
    host,
    `SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE '${username}\\_%'
     UNION SELECT user FROM mysql.user WHERE user LIKE '${username}\\_%' ORDER BY 1`,
  );
}

/** Whether the site's users of databases can log in. */
export function databasesLockedStep(host: Host, site: SiteRef, locked: boolean): Step {
  const { username } = site;
  const users = async () =>
    (
      await query(
        host,
        `SELECT user, json_value(priv, '$.account_locked') FROM mysql.global_priv WHERE user LIKE '${username}\\_%'`,
      )
    ).map((row) => row.split('\t'));
  return {
    name: locked ? 'databases off' : 'databases on',
    isDone: async () => (await users()).every(([, state]) => (state === '1' || state === 'true') === locked),
    async apply() {
      for (const [user = ''] of await users()) {
        await query(host, `ALTER USER '${user}'@'localhost' ACCOUNT ${locked ? 'LOCK' : 'UNLOCK'};`);
        if (locked) await query(host, `KILL USER '${user}';`);
      }
    },
    undo: async () => {},
  };
}

/** A database's views of what is there no more, which have no columns: with them, nothing beside them can be dumped. */
export async function brokenViews(host: Host, database: string): Promise<string[]> {
  const rows = await query(
    host,
    `SELECT hex(v.table_name) FROM information_schema.tables v
     WHERE v.table_schema = '${database}' AND v.table_type = 'VIEW' AND NOT EXISTS (
       SELECT 1 FROM information_schema.columns c WHERE c.table_schema = '${database}' AND c.table_name = v.table_name)`,
  );
  return rows.map((hex) => Buffer.from(hex, 'hex').toString());
}

/**
 * The bytes that each site's databases hold, by the site's user; of all sites, or of one. What the server counts of a
 * table is as old as its owner likes (STATS_AUTO_RECALC); what its file holds is not, less what is free in it.
 */
export async function databaseBytes(host: Host, of?: string): Promise<ReadonlyMap<string, number>> {
  const rows = await query(
    host,
    `SELECT substring_index(t.db, '_', 1), sum(greatest(t.counted, coalesce(f.bytes, 0) - t.free))
     FROM (SELECT table_schema AS db, coalesce(sum(data_length + index_length), 0) AS counted,
             coalesce(sum(data_free), 0) AS free
           FROM information_schema.tables WHERE table_schema LIKE '${of ?? '%'}\\_%' GROUP BY 1) t
       LEFT JOIN (SELECT substring_index(name, '/', 1) AS db, sum(file_size) AS bytes
                  FROM information_schema.innodb_sys_tablespaces WHERE name LIKE '%/%' GROUP BY 1) f ON f.db = t.db
     GROUP BY 1`,
  );
  return new Map(
    rows.map((row) => {
      const [username = '', bytes = '0'] = row.split('\t');
      return [username, Number(bytes) || 0];
    }),
  );
}

export { query as queryDatabase };
