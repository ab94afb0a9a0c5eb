import type { ServerAddress } from '../../../base/name-server.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type SandboxServer, type SandboxServerOptions, startSandboxServer } from './server.ts';

export interface SandboxNameServerOptions extends SandboxServerOptions {
  /** The port cannot be had; called once. */
  readonly onTaken: (error: unknown) => void;
}

/** Where it answers unless told otherwise, if nothing else does: multicast DNS, or another installation. */
export const USUAL: ServerAddress = { address: '127.0.0.1', port: 5353 };
const AGAIN_AFTER_MS = 5_000;
/** A process that serves has been seen since. */
const SEEN_WITHIN_MS = 3 * AGAIN_AFTER_MS;

const load = statement<{ address: string; port: number; seen_at: Instant }>(
  'sandbox_name_server',
  'SELECT address, port, seen_at FROM sandbox.name_server',
);
const register = statement<object>(
  'register_sandbox_name_server',
  `INSERT INTO sandbox.name_server (address, port, seen_at) VALUES ($1, $2, $3)
   ON CONFLICT (one) DO UPDATE SET address = excluded.address, port = excluded.port, seen_at = excluded.seen_at`,
);

/** Where the sandbox's name server answers, or last did, in whichever process it runs; null: it never has. */
export async function registeredNameServer(db: Executor): Promise<ServerAddress | null> {
  const [row] = await db.run(load, []);
  return row === undefined ? null : { address: row.address, port: row.port };
}

/**
 * The sandbox's name server in one of several processes that share a database: whichever gets the port serves, and
 * another takes its place when it is gone. Without an address of the operator's, it answers where it last did, and
 * at a free port when another program is there.
 */
export class SandboxNameServer {
  readonly #fixed: ServerAddress | null;
  readonly #options: SandboxNameServerOptions;
  #server: SandboxServer | null = null;
  #at: ServerAddress | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(fixed: ServerAddress | null, options: SandboxNameServerOptions) {
    this.#fixed = fixed;
    this.#options = options;
  }

  /** Where this process answers; null: another one does, or it waits for its port. */
  get address(): ServerAddress | null {
    return this.#at;
  }

  /** Resolves after the first attempt; never rejects. */
  async open(): Promise<void> {
    await this.#attempt(this.#options.onTaken);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#server?.close();
  }

  /** Serves if it can, says that it does, and looks again. */
  async #attempt(onTaken: (error: unknown) => void): Promise<void> {
    try {
      this.#server ??= await this.#start();
      if (this.#closed) await this.#server.close();
      else if (this.#at !== null) await this.#register(this.#at);
    } catch (error) {
      onTaken(error);
    }
    if (!this.#closed) this.#timer = setTimeout(() => void this.#attempt(() => {}), AGAIN_AFTER_MS).unref();
  }

  async #start(): Promise<SandboxServer> {
    const { db, clock } = this.#options;
    const [last] = this.#fixed === null ? await db.run(load, []) : [];
    const wanted = this.#fixed ?? last ?? USUAL;
    try {
      return await this.#startAt(wanted);
    } catch (error) {
      const now = clock.now().epochMilliseconds;
      const isOurs = last !== undefined && now - last.seen_at.epochMilliseconds < SEEN_WITHIN_MS;
      if (this.#fixed !== null || isOurs || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE')
        throw error;
      return await this.#startAt({ address: wanted.address, port: 0 });
    }
  }

  async #startAt({ address, port }: ServerAddress): Promise<SandboxServer> {
    const server = await startSandboxServer({ address, port }, this.#options);
    this.#at = { address: server.address, port: server.port };
    return server;
  }

  async #register({ address, port }: ServerAddress): Promise<void> {
    const { db, clock } = this.#options;
    await db.run(register, [address, port, clock.now()]);
  }
}
