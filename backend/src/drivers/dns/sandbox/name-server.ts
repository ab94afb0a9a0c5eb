import type { ServerAddress } from '../../../base/name-server.ts';
import { type SandboxServer, type SandboxServerOptions, startSandboxServer } from './server.ts';

export interface SandboxNameServerOptions extends SandboxServerOptions {
  /** The port cannot be had; called once. */
  readonly onTaken: (error: unknown) => void;
}

const AGAIN_AFTER_MS = 5_000;

/**
 * The sandbox's name server in one of several processes that share a database: whichever gets the port serves, and
 * another takes its place when it is gone.
 */
export class SandboxNameServer {
  readonly #at: ServerAddress;
  readonly #options: SandboxNameServerOptions;
  #server: SandboxServer | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(at: ServerAddress, options: SandboxNameServerOptions) {
    this.#at = at;
    this.#options = options;
  }

  /** Resolves after the first attempt; never rejects. */
  async open(): Promise<void> {
    await this.#start(this.#options.onTaken);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#server?.close();
  }

  async #start(onTaken: (error: unknown) => void): Promise<void> {
    try {
      const server = await startSandboxServer(this.#at, this.#options);
      if (this.#closed) await server.close();
      else this.#server = server;
    } catch (error) {
      onTaken(error);
      if (!this.#closed) this.#timer = setTimeout(() => void this.#start(() => {}), AGAIN_AFTER_MS).unref();
    }
  }
}
