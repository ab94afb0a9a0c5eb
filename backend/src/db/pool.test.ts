import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Pool } from './pool.ts';
import { statement } from './statement.ts';
import { transaction } from './transaction.ts';

/** A message of PostgreSQL's protocol (PostgreSQL 18, §54.7): its type, and its length with the content. */
function message(type: string, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);
const LAST_WORDS = message(
  'E',
  'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0',
);

/** A server that welcomes each connection and says its last words in the same breath. */
async function dyingServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([READY, LAST_WORDS])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://nobody@127.0.0.1:${port}/none`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const ask = statement<object>('ask', 'SELECT 1');

test('a server that dies as it welcomes a connection fails what is asked of it, and ends no process', async () => {
  const server = await dyingServer();
  const pool = new Pool({ url: server.url, size: 3, name: 'dying', settleWithinMs: 1 });
  try {
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(pool.run(ask, []));
      await assert.rejects(transaction(pool, (tx) => tx.run(ask, [])));
      await assert.rejects(
        pool.pg.connect().then(async (client) => {
          await new Promise((resolve) => setImmediate(resolve));
          client.release(new Error('it is not needed'));
          throw new Error('it was there');
        }),
      );
    }
  } finally {
    await pool.end();
    await server.stop();
  }
});
