import type { SecureContextOptions } from 'node:tls';
import type { Vocabulary } from './wire/namespace.ts';

export interface SessionOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'passphrase'> & {
    /** The name in the server's certificate, where it is not the host's. */
    readonly servername?: string;
  };
  readonly clientId: string;
  readonly password: string;
  /** The vocabularies that are spoken where the server offers them. */
  readonly vocabularies: ReadonlySet<Vocabulary>;
  /** Namespaces of registries' own extensions that are spoken where the server offers them. */
  readonly ownExtensions: ReadonlySet<string>;
  /** From the connection's beginning to the greeting. */
  readonly greetingMs: number;
  /** From a command to its answer. */
  readonly answerMs: number;
  /** Of silence, until a hello keeps the session open. */
  readonly keepAliveMs: number;
  readonly frameLimit: number;
  /** How many commands may be without an answer at once. */
  readonly pipelining: number;
  readonly onExchange: (exchange: Exchange) => void;
}

/** What may be logged of a command: never what is in it, which may be a password or an authcode. */
export interface Exchange {
  readonly command: string;
  readonly clTRID: string;
  readonly svTRID: string | null;
  readonly code: number;
  readonly message: string;
  readonly ms: number;
}

/** The session ended, or never began. Whether a command that was sent had an effect is not known then. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
  /** The server does not let us in: trying again soon may lock us out. */
  readonly rejected: boolean;

  constructor(message: string, { rejected = false, cause }: { rejected?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.rejected = rejected;
  }
}
