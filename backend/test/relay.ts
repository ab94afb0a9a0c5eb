import { connect, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import pg from 'pg';

/** A way to PostgreSQL that can be cut, and mended: while it is cut, nobody answers at its address. */
export async function relayTo(url: string) {
  const target = new pg.Client({ connectionString: url });
  const sockets = new Set<Socket>();
  let server: Server | null = null;

  function relay(client: Socket): void {
    const upstream = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.pipe(upstream).pipe(client);
  }

  async function listen(port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server = createServer(relay);
    server.on('error', reject).listen(port, '127.0.0.1', resolve);
    await promise;
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async function cut(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (server === null) return;
    server.close(() => resolve());
    server = null;
    for (const socket of sockets) socket.destroy();
    await promise;
  }

  const port = await listen(0);
  after(cut);
  const through = new URL('postgres://127.0.0.1');
  through.port = String(port);
  through.username = encodeURIComponent(target.user ?? '');
  through.password = encodeURIComponent(typeof target.password === 'string' ? target.password : '');
  through.pathname = target.database ?? '';
  return {
    url: through.href,
    cut,
    mend: async () => {
      await listen(port);
    },
  };
}
