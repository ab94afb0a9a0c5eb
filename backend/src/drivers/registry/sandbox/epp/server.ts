import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Clock } from '../../../../base/clock.ts';
import { DEFAULT_FRAME_LIMIT } from '../../epp/wire/frame.ts';
import type { RegistrarCommands } from '../commands.ts';
import type { Reply } from '../reply.ts';
import { EppPeer } from './peer.ts';

export interface EppServerOptions {
  /** Who is let in. */
  readonly registry: {
    login(registrar: string, password: string): Promise<Reply<RegistrarCommands>>;
  };
  readonly clock: Clock;
  /** What the registry's fees are in. */
  readonly currency: () => string;
  /** In PEM. Clients show certificates of `ca` that have their registrar's name as the common name. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string };
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly frameLimit: number;
  readonly idleMs: number;
  readonly maxConnections: number;
  /** Commands of one connection that wait for their turn before no more are read. */
  readonly pipelining: number;
  /** Told of commands that failed without a reason; they were answered with 2400. */
  readonly onError: (error: unknown) => void;
}

export interface EppServer {
  readonly port: number;
  close(): Promise<void>;
}

const DEFAULTS = {
  currency: () => 'EUR',
  host: '127.0.0.1',
  port: 0,
  frameLimit: DEFAULT_FRAME_LIMIT,
  idleMs: 600_000,
  maxConnections: 100,
  pipelining: 10,
  onError: () => {},
};

type Required = Pick<EppServerOptions, 'registry' | 'clock' | 'tls'>;

/** The sandbox registry for whoever speaks EPP over TLS (RFC 5734) and has a client certificate. */
export async function openEppServer(options: Required & Partial<EppServerOptions>): Promise<EppServer> {
  const complete: EppServerOptions = { ...DEFAULTS, ...options };
  const sockets = new Set<TLSSocket>();
  const server = createServer(
    { ...complete.tls, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      new EppPeer(socket, complete);
    },
  );
  server.maxConnections = complete.maxConnections;
  await new Promise<void>((resolve, reject) => {
    // It stays: a connection that cannot be accepted, for want of file descriptors, is an error of the server.
    server.on('error', reject);
    server.listen(complete.port, complete.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
