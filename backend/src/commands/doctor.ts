import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import type { Command } from '../command.ts';
import type { Config } from '../config.ts';
import { openInstallation } from '../installation.ts';
import { isSafeMode } from '../work/safe-mode.ts';

interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly advice?: string;
}

export const command: Command = {
  name: 'doctor',
  summary: 'Check what the configuration needs, and say what to do',
  usage: '',
  flags: {},
  async run({ config, print }) {
    const findings = [...checkMachine(config), ...(await checkDatabase(config))];
    for (const { ok, what, advice } of findings) {
      print(`${ok ? 'ok  ' : 'BAD '} ${what}`);
      if (!ok && advice !== undefined) print(`     → ${advice}`);
    }
    if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
  },
};

const MIN_FREE_BYTES = 1024 ** 3;

function checkMachine(config: Config): Finding[] {
  const findings: Finding[] = [
    {
      ok: Number(process.versions.node.split('.')[0]) >= 26,
      what: `Node.js ${process.versions.node}`,
      advice: 'Hostkeep needs Node 26: npm ci brings it, start it by npx hostkeep',
    },
  ];
  const data = resolve(config.data);
  const keyFile = resolve(config.keyFile ?? `${data}.key`);
  if (config.databaseUrl === undefined && existsSync(data)) {
    const { bavail, bsize } = statfsSync(data);
    findings.push({
      ok: bavail * bsize > MIN_FREE_BYTES,
      what: `${Math.round((bavail * bsize) / 1024 ** 3)} GiB free for ${data}`,
      advice: 'make room: the database stops when its disk is full',
    });
  }
  if (existsSync(keyFile) && process.platform !== 'win32') {
    findings.push({
      ok: (statSync(keyFile).mode & 0o077) === 0,
      what: `the key file ${keyFile} is closed to others`,
      advice: `chmod 600 ${keyFile}`,
    });
  }
  findings.push({
    ok: !keyFile.startsWith(`${data}/`),
    what: 'the key file lies outside the data directory',
    advice: 'set HOSTKEEP_KEY_FILE elsewhere: a copy of the data must not bring its key',
  });
  if (config.publicUrl?.startsWith('http://')) {
    const local = /^http:\/\/(localhost|127\.|\[::1\])/.test(config.publicUrl);
    findings.push({
      ok: local,
      what: `customers come by ${config.publicUrl}`,
      advice: 'put TLS in front, and set HOSTKEEP_PUBLIC_URL to https',
    });
  }
  return findings;
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl !== undefined) {
    const unreachable = await connectionProblem(config.databaseDirectUrl ?? config.databaseUrl);
    if (unreachable !== null) return [unreachable];
  }
  let installation: Awaited<ReturnType<typeof openInstallation>>;
  try {
    installation = await openInstallation(config, 'doctor');
  } catch (error) {
    return [
      {
        ok: false,
        what: `the database does not open: ${(error as Error).message}`,
        advice: 'mend what the message says, then try again',
      },
    ];
  }
  try {
    return await checkBooks(installation);
  } finally {
    await installation.close();
  }
}

async function connectionProblem(url: string): Promise<Finding | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; may_create_roles: boolean; role_exists: boolean }>(
      `SELECT current_setting('server_version_num') AS version,
         (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create_roles,
         EXISTS (SELECT FROM pg_roles WHERE rolname = 'hostkeep_app') AS role_exists`,
    );
    const [row] = rows;
    if (row === undefined || Number(row.version) < 150_000) {
      return {
        ok: false,
        what: `PostgreSQL ${row?.version}`,
        advice: 'Hostkeep needs PostgreSQL 15 or newer; it is tested with 18',
      };
    }
    if (!row.may_create_roles && !row.role_exists) {
      return {
        ok: false,
        what: 'the role hostkeep_app is missing',
        advice:
          'as a superuser: CREATE ROLE hostkeep_app NOLOGIN; GRANT hostkeep_app TO <the user of DATABASE_URL>;',
      };
    }
    return null;
  } catch (error) {
    return {
      ok: false,
      what: `DATABASE_URL: ${(error as Error).message}`,
      advice: 'check host, port, user and password',
    };
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkBooks({
  readPool,
  url,
  directUrl,
}: Awaited<ReturnType<typeof openInstallation>>): Promise<Finding[]> {
  const { rows } = await readPool.pg.query<{
    catalog: boolean;
    unbalanced: string;
    wrong: string;
    stale: string;
  }>(`
    SELECT EXISTS (SELECT FROM catalog_versions) AS catalog,
      (SELECT count(*) FROM (SELECT FROM ledger_postings GROUP BY entry_id, currency HAVING sum(amount) <> 0) x)::text AS unbalanced,
      (SELECT count(*) FROM accounts a WHERE a.balance <> coalesce(
         (SELECT e.balance_after FROM ledger_entries e WHERE e.account_id = a.id AND e.seq = a.ledger_seq), 0))::text AS wrong,
      (SELECT count(*) FROM accounts a WHERE a.reserved <> coalesce(
         (SELECT sum(h.amount) FROM holds h WHERE h.account_id = a.id AND h.state = 'open'), 0))::text AS stale`);
  const [row] = rows;
  return [
    { ok: true, what: `the database answers${url === directUrl ? '' : ', and directly too'}` },
    { ok: row?.catalog === true, what: 'something is sold', advice: 'hostkeep catalog import <file>' },
    {
      ok: row?.unbalanced === '0',
      what: 'every ledger entry sums to zero',
      advice: `${row?.unbalanced} entries do not: stop selling and look`,
    },
    {
      ok: row?.wrong === '0',
      what: 'every balance is what its ledger says',
      advice: `${row?.wrong} accounts differ: stop selling and look`,
    },
    { ok: row?.stale === '0', what: 'what is reserved is held', advice: `${row?.stale} accounts differ` },
    {
      ok: !(await isSafeMode(readPool)),
      what: 'safe mode is off',
      advice: 'compare back ends and books, then: hostkeep safe-mode off',
    },
  ];
}
