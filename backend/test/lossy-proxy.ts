import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import pg from 'pg';

/**
 * A TCP proxy in front of PostgreSQL that can lose the connection around the next COMMIT:
 * `before` it reaches the server, or `after` it took effect and before the answer reaches the client. While it is
 * `closed` it takes no connection.
 */
export async function lossyProxy(url: string) {
  const target = new pg.Client({ connectionString: url });
  const state: {
    lose: 'before' | 'after' | null;
    /** How many more are lost. */
    times: number;
    lost: number;
    closed: boolean;
    /** Takes no further connection once one was lost. */
    closesThen: boolean;
  } = { lose: null, times: 1, lost: 0, closed: false, closesThen: false };
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    if (state.closed) {
      client.destroy();
      return;
    }
    const upstream = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host);
    let losing: 'before' | 'after' | null = null;
    let answered = '';
    let settling = false;
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
      // What finds out what became of a lost COMMIT says so as it connects; its own are not the ones that are lost.
      settling ||= bytes.includes('-settle\0');
      if (state.lose !== null && !settling && bytes.includes('COMMIT\0')) {
        losing = state.lose;
        state.times -= 1;
        if (state.times <= 0) {
          state.lose = null;
          state.times = 1;
        }
        state.lost += 1;
        state.closed = state.closesThen;
      }
      if (losing === 'before') end();
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (losing !== 'after') {
        client.write(bytes);
        return;
      }
      // Statements before COMMIT are answered before it: once COMMIT itself is, the transaction is over.
      answered += bytes.toString('latin1');
      if (/C....(COMMIT|ROLLBACK)\0/s.test(answered)) end();
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
