import { join } from 'node:path';
import pg from 'pg';
import { parseDatabaseAddress } from './address.ts';
import { clientTo } from './connection.ts';
import { attach, DATABASE, type Launch } from './embedded/attach.ts';
import { type Binaries, serverBinaries } from './embedded/binaries.ts';
import type { ServerSettings } from './embedded/configuration.ts';
import { urlOf } from './embedded/endpoint.ts';
import { type Home, openHome } from './embedded/home.ts';
import { withFileLock } from './embedded/lock.ts';
import { give } from './embedded/owned.ts';
import { hasEnded, type Postmaster, runningPostmaster, stopPostmaster } from './embedded/postmaster.ts';
import { enter, type Tenancy } from './embedded/tenants.ts';

/** A PostgreSQL server that Hostkeep brings along and looks after. */
export interface EmbeddedPostgres {
  /** For `pg` and libpq, as the owner of the database `hostkeep`. May hold a password: not for logs. */
  readonly url: string;
  /** As another user, who is made by {@link makeLogin}. */
  readonly loginUrl: string;
  /** The server's first process; another one after a crash of the server. */
  readonly pid: number;
  /** Ends the use by this caller, and stops the server if nobody else uses it. Returns when it is gone. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Made when missing; the server keeps to its subdirectory `postgres`. */
  readonly dataDir: string;
  readonly log?: Launch['log'];
  /** False trades the safety of what is committed for speed. For tests only. */
  readonly durable?: boolean;
  /** On top of the usual ones. They count when the server starts, not when one that runs is joined. */
  readonly settings?: ServerSettings;
}

/**
 * Gives a PostgreSQL that accepts connections on the data directory's cluster, which is made at the first start.
 *
 * Any number of processes may call this for one directory, at any time: the first starts the server, the others join
 * it, and whoever leaves last stops it. A process that is killed leaves the server running, for the next start to
 * join. A server that is killed is started again by the processes that use it, under the same URL, within about a
 * second; what was committed is there, open connections are not.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log = { info: () => {}, error: () => {} }, durable = true, settings = {} } = options;
  const home = await openHome(options.dataDir);
  const binaries = await serverBinaries(home.user, home.copies);
  const launch = { log, durable, settings };
  return await locked(home, launch, async () => {
    const postmaster = await attach(home, binaries, launch);
    const url = await urlOf(home, postmaster.endpoint, DATABASE);
    const loginUrl = await urlOf(home, postmaster.endpoint, DATABASE, LOGIN);
    return new Server(home, binaries, launch, postmaster, { url, loginUrl }, await enter(home));
  });
}

/**
 * Makes the user that the application logs in as, who cannot become the owner. Over TCP it has the owner's password, which
 * the program knows and an injected statement does not.
 */
export async function makeLogin({ url }: Pick<EmbeddedPostgres, 'url'>): Promise<string> {
  const client = clientTo(url, { application_name: 'hostkeep-login' });
  client.on('error', () => {}); // the statement under way fails too
  await client.connect();
  try {
    const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [LOGIN]);
    if (rows.length === 0) await client.query(`CREATE ROLE ${LOGIN} LOGIN`);
    const password =
      parseDatabaseAddress(url) === null ? '' : decodeURIComponent(URL.parse(url)?.password ?? '');
    if (password !== '') await client.query(`ALTER ROLE ${LOGIN} PASSWORD ${pg.escapeLiteral(password)}`);
    return LOGIN;
  } finally {
    await client.end();
  }
}

/** Starting, joining and stopping exclude one another, also between processes. */
async function locked<T>(home: Home, { log }: Launch, work: () => Promise<T>): Promise<T> {
  const waiting = () =>
    log.info(`another process starts or stops PostgreSQL in ${home.path}: waiting for it`);
  const file = join(home.path, 'lock');
  return await withFileLock(file, waiting, async () => {
    await give(file, home.user); // root may have made it
    return await work();
  });
}

/** Who the application logs in as. */
const LOGIN = 'hostkeep_login';
const WATCH_MS = 500;
const RETRY_MS = 5_000;

class Server implements EmbeddedPostgres {
  readonly url: string;
  readonly loginUrl: string;
  readonly #home: Home;
  readonly #binaries: Binaries;
  readonly #launch: Launch;
  readonly #tenancy: Tenancy;
  readonly #watch: NodeJS.Timeout;
  #postmaster: Postmaster;
  #revival: Promise<void> | undefined;
  #patience = 0;
  #left: Promise<void> | undefined;

  constructor(
    home: Home,
    binaries: Binaries,
    launch: Launch,
    postmaster: Postmaster,
    urls: { readonly url: string; readonly loginUrl: string },
    tenancy: Tenancy,
  ) {
    this.url = urls.url;
    this.loginUrl = urls.loginUrl;
    this.#home = home;
    this.#binaries = binaries;
    this.#launch = launch;
    this.#postmaster = postmaster;
    this.#tenancy = tenancy;
    this.#attend();
    this.#watch = setInterval(() => this.#look(), WATCH_MS).unref();
  }

  get pid(): number {
    return this.#postmaster.pid;
  }

  stop(): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  /** A child's end is told at once; that of another's server is looked for. */
  #attend(): void {
    this.#postmaster.child?.once('exit', () => this.#look());
  }

  #look(): void {
    if (this.#left !== undefined || this.#revival !== undefined || !hasEnded(this.#postmaster)) return;
    if (performance.now() < this.#patience) return;
    const { log } = this.#launch;
    log.error(`PostgreSQL (process ${this.pid}) ended unexpectedly and is started again`);
    this.#revival = this.#revive()
      .catch((error: unknown) => {
        log.error(error instanceof Error ? error.message : String(error));
        this.#patience = performance.now() + RETRY_MS;
      })
      .finally(() => {
        this.#revival = undefined;
      });
  }

  async #revive(): Promise<void> {
    const { endpoint } = this.#postmaster; // the URL shall stay the same
    this.#postmaster = await locked(this.#home, this.#launch, () =>
      attach(this.#home, this.#binaries, this.#launch, endpoint),
    );
    this.#attend();
  }

  async #leave(): Promise<void> {
    clearInterval(this.#watch);
    await this.#revival;
    await locked(this.#home, this.#launch, async () => {
      if (!(await this.#tenancy.leave())) {
        this.#launch.log.info('PostgreSQL is left running for the other processes that use it');
        return;
      }
      const current = await runningPostmaster(this.#home);
      const postmaster = current === undefined || current.pid === this.pid ? this.#postmaster : current;
      await stopPostmaster(this.#home, this.#binaries, postmaster);
      this.#launch.log.info('PostgreSQL stopped');
    });
  }
}
