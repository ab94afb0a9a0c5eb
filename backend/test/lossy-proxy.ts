import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import pg from 'pg';

/**
 * A TCP proxy in front of PostgreSQL that can lose the connection around the next COMMIT:
 * `before` it reaches the server, or `after` it took effect and before the answer reaches the client.
 */
export async function lossyProxy(url: string) {
  const target = new pg.Client({ connectionString: url });
  const state: { lose: 'before' | 'after' | null; lost: number } = { lose: null, lost: 0 };
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host);
    let losing: 'before' | 'after' | null = null;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    client.on('data', (bytes) => {
      if (state.lose !== null && bytes.includes('COMMIT\0')) {
        losing = state.lose;
        state.lose = null;
        state.lost += 1;
      }
      if (losing === 'before') end();
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      // The server has answered, so the transaction is committed; nobody hears of it.
      if (losing === 'after') end();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const through = new URL('postgres://127.0.0.1');
  through.port = String(port);
  through.username = encodeURIComponent(target.user ?? '');
  through.password = encodeURIComponent(typeof target.password === 'string' ? target.password : '');
  through.pathname = target.database ?? '';
  return { url: through.href, state };
}
