import { glob, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { isRunning } from '../backend/src/db/embedded/os-process.ts';

/** What tests left behind in the server, each a line: connections, and databases that were not dropped. */
export async function leftInServer(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const connections = await leftConnections(client);
    const { rows } = await client.query<{ line: string }>(
      `SELECT 'database ' || datname AS line FROM pg_database WHERE datname LIKE 't\\_%'`,
    );
    return [...connections, ...rows.map((row) => row.line)];
  } finally {
    await client.end();
  }
}

/** The processes of the tests have ended, and the server hears of it a moment later: waits up to a second. */
async function leftConnections(client: pg.Client): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ line: string }>(
      `SELECT format('connection "%s" to %s, %s: %s', application_name, datname, state, left(query, 80)) AS line
         FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    if (rows.length === 0 || attempt === 100) return rows.map((row) => row.line);
    await setTimeout(10);
  }
}

/**
 * Stops the embedded servers that run below a directory, which outlive a test that was killed, and removes what they
 * keep outside of it. A line for each.
 */
export async function stopServersBelow(directory: string): Promise<string[]> {
  const found: string[] = [];
  const places = glob(['postgres', '*/postgres', '*/*/postgres'], { cwd: directory });
  for await (const place of places) {
    const home = await realpath(join(directory, place)).catch(() => undefined);
    if (home === undefined) continue;
    const pidFile = await readFile(join(home, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(pidFile, 10);
    if (pid > 0 && isRunning(pid)) {
      found.push(`PostgreSQL in ${dirname(join(directory, place))}`);
      process.kill(pid, 'SIGQUIT'); // at once, without writing anything
      while (isRunning(pid)) await setTimeout(10);
    }
    await rm(home, { recursive: true, force: true, maxRetries: 20 });
  }
  return found;
}
