import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../acceptance/eventually.ts';
import { isObject, type Json } from '../acceptance/json.ts';
import type { Network } from './network.ts';
import { OsProcess, signalPid, startOf, titleOf, tool } from './os-process.ts';
import { postgresPrograms } from './parts.ts';
import type { Workspace } from './workspace.ts';

/** Debian's own, which its packages make. */
const POSTGRES_USER = 'postgres';
const ETCD_USER = 'etcd';
export const POSTGRES_PORT = 5432;
export const PATRONI_PORT = 8008;
const ETCD_PORT = 2379;
const ETCD_PEER_PORT = 2380;

export interface NodeOptions {
  readonly network: Network;
  readonly workspace: Workspace;
  /** The machines that run etcd. */
  readonly voters: readonly string[];
  readonly diskMegabytes: number;
}

/** A machine with etcd, Patroni, and the PostgreSQL that Patroni runs. */
export class DatabaseNode {
  readonly name: string;
  readonly #options: NodeOptions;
  #disk = '';
  #programs = '';
  #etcd: OsProcess | null = null;
  #patroni: OsProcess | null = null;

  constructor(name: string, options: NodeOptions) {
    this.name = name;
    this.#options = options;
  }

  get address(): string {
    return this.#options.network.addressOf(this.name);
  }

  async prepare(): Promise<void> {
    const { workspace, diskMegabytes } = this.#options;
    const programs = await postgresPrograms();
    if (programs === null) throw new Error('there is no PostgreSQL server of Debian’s packages');
    this.#programs = programs;
    this.#disk = await workspace.mountDisk(`${this.name}-postgres`, diskMegabytes, POSTGRES_USER);
    await workspace.mountDisk(`${this.name}-etcd`, 512, ETCD_USER);
    await writeFile(this.#configurationFile, JSON.stringify(this.#configuration(), null, 2), { mode: 0o644 });
  }

  startEtcd(): void {
    const { network, workspace, voters } = this.#options;
    if (!voters.includes(this.name)) return;
    const client = `http://${this.address}:${ETCD_PORT}`;
    const peer = (name: string) => `http://${network.addressOf(name)}:${ETCD_PEER_PORT}`;
    const flags = {
      name: this.name,
      'data-dir': join(workspace.directory, `${this.name}-etcd`, 'store'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer(this.name),
      'initial-advertise-peer-urls': peer(this.name),
      'initial-cluster': voters.map((name) => `${name}=${peer(name)}`).join(','),
      'enable-v2': 'true',
      // Against a machine that has more to do than this: leaders are not voted out for a pause.
      'heartbeat-interval': '300',
      'election-timeout': '3000',
      logger: 'zap',
      'log-level': 'warn',
    };
    this.#etcd = new OsProcess({
      name: `${this.name}-etcd`,
      namespace: network.namespace(this.name),
      user: ETCD_USER,
      program: 'etcd',
      args: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
      // etcd 3.4 starts on other processors only when it is told that this is meant.
      environment: { PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: 'arm64' },
      log: workspace.log(`${this.name}-etcd`),
    });
  }

  startPatroni(): void {
    const { network, workspace } = this.#options;
    this.#patroni = new OsProcess({
      name: `${this.name}-patroni`,
      namespace: network.namespace(this.name),
      user: POSTGRES_USER,
      program: 'patroni',
      args: [this.#configurationFile],
      environment: { PATH: `${this.#programs}:${process.env.PATH}`, LANG: 'C.UTF-8' },
      log: workspace.log(`${this.name}-patroni`),
    });
  }

  /** Patroni's word on this node, or null when it gives none. */
  async state(): Promise<Json> {
    return await this.#ask('GET', '/patroni').catch(() => null);
  }

  async switchover(): Promise<void> {
    await this.#ask('POST', '/switchover', { leader: this.name });
  }

  async restart(): Promise<void> {
    await this.#ask('POST', '/restart', {});
  }

  /** As a supervisor stops it: Patroni stops PostgreSQL, and gives up the lead. */
  async stopPatroni(): Promise<void> {
    await this.#patroni?.stop();
  }

  /** Ends PostgreSQL without writing anything, so that it takes its shared memory along; the rest is killed later. */
  async end(): Promise<void> {
    await this.thaw();
    await this.#patroni?.kill();
    const postmaster = await this.#postmaster();
    if (postmaster === null) return;
    signalPid(postmaster, 'SIGQUIT');
    await eventually(`the end of ${this.name}`, async () =>
      startOf(postmaster) === null ? true : undefined,
    );
  }

  /** The server itself; Patroni stays, and notices, as do the server's processes but those that are frozen. */
  async killPostgres(frozen: readonly number[] = []): Promise<void> {
    const postmaster = await this.#postmaster();
    if (postmaster !== null) signalPid(postmaster, 'SIGKILL');
    for (const pid of frozen) signalPid(pid, 'SIGKILL');
  }

  /** The processes that send this server's changes to another node; all of them without a name. */
  async senders(to?: string): Promise<number[]> {
    const receiver = to === undefined ? '' : ` ${this.#options.network.addressOf(to)}(`;
    const pids = await this.#processes();
    return pids.filter((pid) => {
      const title = titleOf(pid);
      return title.includes('walsender') && title.includes(receiver);
    });
  }

  /** Everything at once, and the cable: as a power cut, but that the disk was written. */
  async crash(): Promise<void> {
    await this.#options.network.unplug(this.name);
    for (const pid of await this.#processes()) signalPid(pid, 'SIGKILL');
    await Promise.all([this.#etcd?.ended(), this.#patroni?.ended()]);
    await this.#gone();
  }

  async freeze(): Promise<void> {
    for (const pid of await this.#processes()) signalPid(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.#processes()) signalPid(pid, 'SIGCONT');
  }

  async boot(): Promise<void> {
    await this.#options.network.plug(this.name);
    this.startEtcd();
    this.startPatroni();
  }

  /** The database's files, as if the disk had been replaced. */
  async wipe(): Promise<void> {
    await rm(join(this.#disk, 'cluster'), { recursive: true, force: true });
  }

  /** Writes until the disk takes no more. */
  async fillDisk(): Promise<void> {
    // `dd` ends with an error when the disk is full, which is what is wanted.
    await tool('dd', 'if=/dev/zero', `of=${this.#ballast}`, 'bs=1M').catch(() => '');
  }

  async emptyDisk(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  get #ballast(): string {
    return join(this.#disk, 'ballast');
  }

  get #configurationFile(): string {
    return join(this.#options.workspace.directory, `${this.name}-patroni.json`);
  }

  #processes(): Promise<number[]> {
    return this.#options.network.processesOf(this.name);
  }

  async #postmaster(): Promise<number | null> {
    const text = await readFile(join(this.#disk, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    return pid > 0 && (await this.#processes()).includes(pid) ? pid : null;
  }

  async #gone(): Promise<void> {
    for (;;) {
      const alive = (await this.#processes()).filter((pid) => startOf(pid) !== null);
      if (alive.length === 0) return;
      for (const pid of alive) signalPid(pid, 'SIGKILL');
    }
  }

  async #ask(method: string, path: string, body?: Json): Promise<Json> {
    const answer = await fetch(`http://${this.address}:${PATRONI_PORT}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(method === 'GET' ? 2_000 : 60_000),
    });
    const text = await answer.text();
    if (method === 'GET') return JSON.parse(text) as Json;
    if (!answer.ok) throw new Error(`Patroni on ${this.name}, ${path}: ${answer.status} ${text}`);
    return null;
  }

  #configuration(): Json {
    const { network, voters } = this.#options;
    const range = network.range;
    return {
      scope: 'hostkeep',
      name: this.name,
      restapi: {
        listen: `${this.address}:${PATRONI_PORT}`,
        connect_address: `${this.address}:${PATRONI_PORT}`,
      },
      // By etcd's older interface: over the newer one, Patroni 3.0 renews its lead without looking whose it is by now,
      // and a primary that was frozen takes it back from its successor, whose commits are then undone.
      etcd: { hosts: voters.map((name) => `${network.addressOf(name)}:${ETCD_PORT}`) },
      bootstrap: {
        dcs: {
          ttl: 15,
          loop_wait: 1,
          retry_timeout: 5,
          // A server that was killed is not waited for while another one has everything.
          primary_start_timeout: 0,
          // Docs: docs/guides/high-availability.md. Strict: without a second copy nothing is acknowledged.
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            parameters: {
              max_connections: 200,
              shared_buffers: '128MB',
              max_wal_size: '256MB',
              wal_keep_size: '64MB',
              max_slot_wal_keep_size: '256MB',
              wal_log_hints: 'on',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `${this.address}:${POSTGRES_PORT}`,
        connect_address: `${this.address}:${POSTGRES_PORT}`,
        data_dir: join(this.#disk, 'cluster'),
        bin_dir: this.#programs,
        pgpass: join(this.#disk, 'pgpass'),
        authentication: {
          superuser: { username: 'postgres', password: 'postgres' },
          replication: { username: 'replicator', password: 'replicator' },
        },
        // Nothing but this run's own machines reaches the network.
        pg_hba: ['local all all trust', `host all all ${range} trust`, `host replication all ${range} trust`],
        parameters: { unix_socket_directories: this.#disk },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    };
  }
}

/** Whether Patroni says that its server is the primary, and running. */
export function isPrimary(state: Json): boolean {
  return ['master', 'primary'].includes(word(state, 'role')) && isRunning(state);
}

export function isRunning(state: Json): boolean {
  return word(state, 'state') === 'running';
}

/** A member of what Patroni says; empty where it says nothing, as it does of what is just being started. */
export function word(json: Json, name: string): string {
  const value = json !== null && isObject(json) ? json[name] : undefined;
  return typeof value === 'string' ? value : '';
}
