import pg from 'pg';
import { type DatabaseAddress, type Host, parseDatabaseAddress, type SessionAttribute } from './address.ts';

/** For one server to accept a connection while it is looked for. */
const PROBE_MS = 3_000;

/** No server of the address is there, or none does what is asked of it. */
export class NoSuitableServer extends Error {
  override readonly name = 'NoSuitableServer';
  /** SQLSTATE of a connection that could not be made. */
  readonly code = '08001';
}

interface ConnectionOptions {
  readonly connectionString: string;
  readonly Client?: typeof pg.Client;
}

const known = new Map<string, ConnectionOptions>();

/**
 * What every connection of the program is made with: `new pg.Pool({ ...connectionTo(url), max: 4 })`.
 * An address with several hosts, or with `target_session_attrs`, brings a client that looks for the right server at
 * each new connection; any other address is left to the driver.
 */
export function connectionTo(url: string): ConnectionOptions {
  const found = known.get(url);
  if (found !== undefined) return found;
  const address = parseDatabaseAddress(url);
  const options: ConnectionOptions =
    address === null || (address.hosts.length === 1 && address.sessions === 'any')
      ? { connectionString: url }
      : { connectionString: address.ofFirst, Client: clientOf(address) };
  known.set(url, options);
  return options;
}

/** A single connection, not yet connected. */
export function clientTo(url: string, config: pg.ClientConfig = {}): pg.Client {
  const { connectionString, Client = pg.Client } = connectionTo(url);
  return new Client({ ...config, connectionString });
}

function clientOf(address: DatabaseAddress): typeof pg.Client {
  const search = new ServerSearch(address);
  return class extends ReportingClient {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    // biome-ignore lint/suspicious/noConfusingVoidType: the driver's own overloads
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
      const connected = this.#connectToFound();
      if (callback === undefined) return connected;
      // The driver's pool calls with no error at all when it has worked.
      connected.then(
        () => (callback as (error?: Error) => void)(),
        (error: Error) => callback(error),
      );
    }

    async #connectToFound(): Promise<pg.Client> {
      const { host, port } = await search.find();
      this.host = host;
      this.port = port;
      await super.connect();
      if (await this.suits(address.sessions)) return this;
      this.end().catch(() => {});
      throw new NoSuitableServer(`${host}:${port} is no longer ${address.sessions}`);
    }
  };
}

/** A client that keeps what the server reports about itself as the connection begins. */
class ReportingClient extends pg.Client {
  readonly #reported = new Map<string, string>();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', (message: { parameterName: string; parameterValue: string }) => {
      this.#reported.set(message.parameterName, message.parameterValue);
    });
  }

  /** PostgreSQL reports by itself what is needed; a pooler between may not, and then the server is asked. */
  async suits(sessions: SessionAttribute): Promise<boolean> {
    if (sessions === 'any') return true;
    let standby = this.#reported.get('in_hot_standby');
    let readOnly = this.#reported.get('default_transaction_read_only');
    if (standby === undefined || readOnly === undefined) {
      const { rows } = await this.query<{ standby: string; read_only: string }>(
        "SELECT current_setting('in_hot_standby') AS standby, current_setting('default_transaction_read_only') AS read_only",
      );
      standby = rows[0]?.standby;
      readOnly = rows[0]?.read_only;
    }
    return standby === 'off' && (sessions === 'primary' || readOnly === 'off');
  }
}

/**
 * Which server of an address to connect to. All are asked at once, so one that is dead costs no time, and anew for each
 * connection, since roles move; connections that are made together share the answer.
 */
class ServerSearch {
  readonly #address: DatabaseAddress;
  #underWay: Promise<Host> | null = null;

  constructor(address: DatabaseAddress) {
    this.#address = address;
  }

  find(): Promise<Host> {
    this.#underWay ??= this.#search().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #search(): Promise<Host> {
    const { hosts, sessions } = this.#address;
    try {
      return await Promise.any(hosts.map((one) => this.#probe(one)));
    } catch (error) {
      const reasons = error instanceof AggregateError ? error.errors : [error];
      throw new NoSuitableServer(
        `no server is ${sessions === 'any' ? 'there' : sessions}: ${reasons.map((one) => (one as Error).message).join('; ')}`,
      );
    }
  }

  async #probe(host: Host): Promise<Host> {
    const where = `${host.host}:${host.port}`;
    const client = new ReportingClient({
      connectionString: this.#address.ofFirst,
      application_name: 'hostkeep-look',
      connectionTimeoutMillis: PROBE_MS,
      query_timeout: PROBE_MS,
    });
    client.host = host.host;
    client.port = host.port;
    client.on('error', () => {}); // also fails what is waited for
    try {
      await client.connect();
      if (!(await client.suits(this.#address.sessions))) throw new Error(`is not ${this.#address.sessions}`);
      return host;
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    } finally {
      client.end().catch(() => {});
    }
  }
}
