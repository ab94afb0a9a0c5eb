import { clientTo } from './connection.ts';

/** A setting of the server, or the lack of one, by which an acknowledged payment can be lost. */
export interface DurabilityProblem {
  readonly what: string;
  readonly advice: string;
}

interface Settings {
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly synchronous_standby_names: string;
  readonly following: number;
  readonly confirming: number;
}

// Those that stream for good: a backup or a tool that fetches the log is no standby.
const SETTINGS = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS synchronous_standby_names,
  (SELECT count(*)::int FROM pg_stat_replication WHERE application_name NOT LIKE 'pg\\_%') AS following,
  (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS confirming`;

/** What the server of an address may lose of what it has acknowledged. */
export async function durabilityProblems(url: string): Promise<DurabilityProblem[]> {
  const client = clientTo(url, { connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // the statement under way fails too
  try {
    await client.connect();
    const { rows } = await client.query<Settings>(SETTINGS);
    return rows.flatMap(problemsOf);
  } finally {
    await client.end().catch(() => {});
  }
}

function problemsOf(found: Settings): DurabilityProblem[] {
  const { synchronous_commit: commit, synchronous_standby_names: names, following, confirming } = found;
  const problems: DurabilityProblem[] = [];
  if (found.fsync === 'off')
    problems.push({
      what: 'fsync is off: a crash of the machine can destroy the whole database',
      advice: 'set fsync = on',
    });
  if (found.full_page_writes === 'off')
    problems.push({
      what: 'full_page_writes is off: a crash of the machine can leave damaged pages',
      advice: 'set full_page_writes = on, unless the file system never writes half a page',
    });
  if (commit === 'off')
    problems.push({
      what: 'synchronous_commit is off: a crash loses orders and payments that were acknowledged',
      advice: 'set synchronous_commit = on',
    });
  if (commit === 'local' && (following > 0 || names !== ''))
    problems.push({
      what: 'synchronous_commit is local: a fail-over loses what no standby has received',
      advice: 'set synchronous_commit = on',
    });
  if (following > 0 && names === '')
    problems.push({
      what: `no commit waits for any of ${following} standbys: a fail-over loses what had not reached them`,
      advice:
        'set synchronous_standby_names, or synchronous_mode of Patroni (docs/guides/high-availability.md)',
    });
  if (names !== '' && confirming === 0)
    problems.push({
      what: `commits wait for a standby of ${names}, and none is there`,
      advice: 'bring a standby back: until then nothing is acknowledged',
    });
  return problems;
}
