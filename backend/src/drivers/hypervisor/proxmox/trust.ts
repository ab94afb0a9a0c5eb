import { readFileSync } from 'node:fs';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { ClusterSettings } from './settings.ts';

type Connected = (error: Error | null, socket: Duplex) => void;

/** Hands out connections to servers whose certificate is one of the known ones, and to nobody else. */
class PinnedAgent extends Agent {
  readonly #fingerprints: ReadonlySet<string>;

  constructor(fingerprints: readonly string[], options: AgentOptions) {
    super(options);
    this.#fingerprints = new Set(fingerprints.map((one) => one.toUpperCase()));
  }

  override createConnection(options: RequestOptions, connected: Connected = () => {}): undefined {
    const { host, port, servername } = options;
    // Names and authorities do not matter for a certificate that is known: it is looked at before anything is sent.
    const socket = connect({
      ...{ host: host ?? '', port: Number(port), rejectUnauthorized: false },
      ...(servername === undefined ? {} : { servername }),
    });
    const failed = (error: Error) => connected(error, socket);
    socket.once('error', failed);
    socket.once('secureConnect', () => {
      socket.off('error', failed);
      const { fingerprint256 } = socket.getPeerCertificate();
      if (this.#fingerprints.has(fingerprint256)) return connected(null, socket);
      socket.destroy();
      connected(
        new Error(`a certificate has the fingerprint ${fingerprint256}, which is not a known one`),
        socket,
      );
    });
  }
}

/** Connections to a cluster: by fingerprint, by an authority of the operator's, or by one that everybody trusts. */
export function trustedAgent({ fingerprints, ca_file }: ClusterSettings): Agent {
  const options = { keepAlive: true, maxSockets: 32, timeout: 60_000 };
  if (fingerprints !== undefined) return new PinnedAgent(fingerprints, options);
  return new Agent(ca_file === undefined ? options : { ...options, ca: readFileSync(ca_file) });
}
