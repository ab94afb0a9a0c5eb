import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { OWNER, passwordOf } from './cluster.ts';
import type { Home } from './home.ts';

/** How clients reach the server: a socket in a directory, or a port of the loopback address. */
export type Endpoint =
  | { readonly socket: string; readonly port: number }
  | { readonly address: string; readonly port: number };

const LOOPBACK = '127.0.0.1';

/** Part of the socket's file name only, since each directory holds one server. */
const SOCKET_PORT = 5432;

/** The bytes of a path in `sockaddr_un`, without the closing zero, on the systems that have least. */
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;

/**
 * A socket in the cluster: faster than TCP, and guarded by the directory's mode. Where the system has none that
 * Node can open (Windows), the path is too long or the disk holds no sockets (some disks shared with a virtual
 * machine), a free port of the loopback address, guarded by a password.
 */
export async function chooseEndpoint(home: Home): Promise<Endpoint> {
  const probe = join(home.path, '.probe');
  await rm(probe, { force: true }); // left by a process that was killed right here
  const path = join(home.cluster, `.s.PGSQL.${SOCKET_PORT}`);
  const fits = Buffer.byteLength(path) <= LONGEST_SOCKET_PATH;
  if (process.platform !== 'win32' && fits && (await listen({ path: probe })) !== undefined) {
    return { socket: home.cluster, port: SOCKET_PORT };
  }
  const port = await listen({ host: LOOPBACK, port: 0 });
  if (port === undefined) throw new Error(`no free port on ${LOOPBACK} for PostgreSQL`);
  return { address: LOOPBACK, port };
}

/** A connection string for `pg` and libpq alike; with the password in it when the server is reached over TCP. */
export async function urlOf(
  home: Home,
  endpoint: Endpoint,
  database: string,
  user: string = OWNER,
): Promise<string> {
  if ('socket' in endpoint) {
    return `postgres://${user}@/${database}?host=${encodeURIComponent(endpoint.socket)}&port=${endpoint.port}`;
  }
  return `postgres://${user}:${await passwordOf(home)}@${endpoint.address}:${endpoint.port}/${database}`;
}

/** Listens for a moment; gives the port (0 for a path), or undefined when that is not possible. */
async function listen(where: { path: string } | { host: string; port: number }): Promise<number | undefined> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(where, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
