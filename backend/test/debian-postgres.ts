// Needs: ha

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.ts';

const PROGRAMS = '/usr/lib/postgresql';

/** A PostgreSQL of Debian's, on a socket only. Gone with all its data after `stop`, and when this process ends. */
export interface DebianPostgres {
  readonly url: string;
  /** Of PostgreSQL: 15. */
  readonly version: number;
  /** Changes settings while it runs. */
  set(settings: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** The newest of those that are installed, which Debian does not put on the path. */
const version = Math.max(...readdirSync(PROGRAMS).map(Number).filter(Number.isInteger));
const bin = join(PROGRAMS, String(version), 'bin');
const cheap = ['-c', 'listen_addresses=', '-c', 'shared_buffers=32MB'];

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const directory = newDirectory();
  run('initdb', ['--no-sync', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-D', directory]);
  return await start(directory);
}

/** A standby that streams from a primary, under a name that `synchronous_standby_names` can have. */
export async function startDebianStandby(primary: DebianPostgres, name: string): Promise<DebianPostgres> {
  const directory = newDirectory();
  run('pg_basebackup', [
    '-D',
    directory,
    '-d',
    `${primary.url}&application_name=${name}`,
    '-R',
    '--no-sync',
    '-c',
    'fast',
  ]);
  // The primary's, whose socket is in its directory.
  rmSync(join(directory, '.s.PGSQL.5432.lock'));
  return await start(directory);
}

async function start(directory: string): Promise<DebianPostgres> {
  const server = spawn(join(bin, 'postgres'), ['-D', directory, '-k', directory, ...cheap], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account(),
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const end = () => {
    server.kill('SIGQUIT');
    rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
  };
  process.once('exit', end);
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(directory)}`;
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await until(
    () =>
      query('SELECT 1').then(
        () => true,
        () => null,
      ),
    () => `PostgreSQL ${version} does not answer: ${said}`,
    20,
  );
  return {
    url,
    version,
    async set(settings) {
      for (const [name, value] of Object.entries(settings))
        await query(`ALTER SYSTEM SET ${name} = ${pg.escapeLiteral(value)}`);
      await query('SELECT pg_reload_conf()');
    },
    async stop() {
      const ended = endOf(server);
      server.kill('SIGINT'); // ends what its clients do
      await ended;
      process.off('exit', end);
      rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hostkeep-debian-'));
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
  return directory;
}

function run(program: string, args: readonly string[]): void {
  execFileSync(join(bin, program), args, { stdio: 'pipe', ...account() });
}

/** PostgreSQL does not run as root. */
function account(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
