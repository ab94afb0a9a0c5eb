import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from './endpoint.ts';
import type { Home } from './home.ts';
import { replaceFile } from './owned.ts';

/** PostgreSQL's settings by their names in its manual; times and sizes with their units, such as `128MB`. */
export type ServerSettings = Readonly<Record<string, string>>;

const MIB = 1024 * 1024;

/** For a small server: a few hundred megabytes of memory, some ten connections a process, backups while it runs. */
const USUAL: ServerSettings = {
  max_connections: '100',
  shared_buffers: `${sharedBuffersMib(totalmem())}MB`,
  effective_cache_size: `${Math.floor(totalmem() / MIB / 2)}MB`,
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  jit: 'off', // costs more than it saves on statements of a millisecond
  wal_level: 'replica',
  wal_compression: 'on',
  max_wal_size: '1GB',
  min_wal_size: '160MB',
  max_logical_replication_workers: '0', // else a process that waits for subscriptions, of which there are none
  checkpoint_timeout: '15min',
  random_page_cost: '1.1', // disks without moving parts
  client_connection_check_interval: '5s', // statements of a client that was killed end
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Seven files, one for each day of the week. They outlive the process that started the server, as a pipe would not.
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_line_prefix: '%m [%p] %q%a ',
  log_lock_waits: 'on',
  log_min_duration_statement: '1s',
  // Values belong to customers: neither the parameters of slow statements nor the rows of violated keys are logged.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
};

/** An eighth of the machine's memory, which others live on too: 128 MiB at least, 4 GiB at most. */
function sharedBuffersMib(memory: number): number {
  return Math.min(4096, Math.max(128, Math.floor(memory / MIB / 8)));
}

/** For tests: what a crash of the machine leaves is worthless, and nothing is copied elsewhere. */
const NOT_DURABLE: ServerSettings = {
  shared_buffers: '128MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'off',
};

/** The file that the server is told to read at its start. */
export function configurationFileOf(home: Home): string {
  return join(home.path, 'postgresql.conf');
}

/**
 * Writes that file and `pg_hba.conf` anew, before every start. What an administrator sets with ALTER SYSTEM is in
 * the cluster's `postgresql.auto.conf`, which PostgreSQL reads after them.
 *
 * Through the socket anyone is let in who can open it, and that is the server's user and root alone: both the
 * directory (mode 0700) and the socket (mode 0700) forbid it to others. So no password needs to be known.
 */
export async function configure(
  home: Home,
  endpoint: Endpoint,
  durable: boolean,
  settings: ServerSettings,
): Promise<void> {
  const listen: ServerSettings =
    'socket' in endpoint
      ? {
          listen_addresses: '',
          unix_socket_directories: `"${endpoint.socket.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
        }
      : { listen_addresses: endpoint.address, unix_socket_directories: '' };
  const accessFile = join(home.path, 'pg_hba.conf');
  const all = {
    ...USUAL,
    ...(durable ? {} : NOT_DURABLE),
    ...settings,
    ...listen,
    port: String(endpoint.port),
    hba_file: accessFile,
    log_directory: home.log,
  };
  const lines = Object.entries(all).map(([name, value]) => `${checked(name)} = ${quoted(value)}`);
  const note = '# Hostkeep writes this file at every start of the server; ALTER SYSTEM lasts.';
  const entries =
    'socket' in endpoint
      ? ['local all all trust', 'local replication all trust']
      : [`host all all ${endpoint.address}/32 scram-sha-256`];
  await replaceFile(configurationFileOf(home), textOf([note, ...lines]), home.user);
  await replaceFile(accessFile, textOf([note, ...entries]), home.user);
}

const textOf = (lines: string[]) => `${lines.join('\n')}\n`;

function checked(name: string): string {
  if (!/^[a-z_][a-z0-9_.]*$/i.test(name))
    throw new Error(`"${name}" is not the name of a PostgreSQL setting`);
  return name;
}

/** https://www.postgresql.org/docs/18/config-setting.html */
function quoted(value: string): string {
  if (/[\r\n]/.test(value)) throw new Error('a setting of PostgreSQL cannot hold a line break');
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
