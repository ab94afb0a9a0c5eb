// Needs: database

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';
import { operations } from '../operations.generated.ts';
import { SMALL_BODY } from './body-gate.ts';
import { httpServer } from './http.ts';

const MIB = 1024 * 1024;
const fixture = await openFixture();
const { runner } = openRequests(fixture);
const app = httpServer({
  operations,
  runner,
  log: pino({ level: 'silent' }),
  publicUrl: () => 'https://hostkeep.example',
  trustedProxies: [],
  bodyMemory: 32 * MIB,
});
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});
const customer = await fixture.customer(0n);

/** Sends the head of a request and a part of its body, and holds back the rest. */
async function begin(path: string, headers: Readonly<Record<string, string>>, part = '{'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'h', 'content-type': 'application/json', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST /api/v2/${path} HTTP/1.1\r\n${head}\r\n${part}`);
  return socket;
}

/** What is answered before the body is there: its status and error. */
async function answerOf(socket: Socket): Promise<readonly [number, string]> {
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    const [head = '', body] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (body !== undefined && Buffer.byteLength(body) >= length)
      return [Number(head.slice(9, 12)), JSON.parse(body).error];
  }
  throw new Error(`the connection ended after ${text.slice(0, 200)}`);
}

const large = { 'content-length': String(15 * MIB) };
const own = { authorization: `Bearer ${customer.secret}` };

test('a large body of someone without a good token is refused by its headers, sixty times at once', async () => {
  const strangers = await Promise.all(Array.from({ length: 60 }, () => begin('ticket/create', large)));
  for (const socket of strangers) assert.deepEqual(await answerOf(socket), [401, 'token_missing']);
  const guessed = { ...large, authorization: 'Bearer hk_guessed' };
  assert.deepEqual(await answerOf(await begin('ticket/create', guessed)), [401, 'token_invalid']);
});

test('what needs no token takes small bodies only', async () => {
  const announced = { 'content-length': String(SMALL_BODY + 1) };
  assert.deepEqual(await answerOf(await begin('account/login', announced)), [413, 'payload_too_large']);
  const chunk = `${(SMALL_BODY + 1).toString(16)}\r\n${' '.repeat(SMALL_BODY + 1)}\r\n`;
  const chunked = await begin('account/login', { 'transfer-encoding': 'chunked' }, chunk);
  assert.deepEqual(await answerOf(chunked), [413, 'payload_too_large']);
});

test('large bodies that are on their way have a bounded memory, which ended ones give back', async () => {
  const first = await begin('ticket/create', { ...large, ...own });
  const second = await begin('ticket/create', { ...large, ...own });
  // Whoever comes third is the one without room; which one that is, the network decides.
  const third = await begin('ticket/create', { ...large, ...own });
  const refused = await Promise.race(
    [first, second, third].map(async (socket) => ({ socket, answer: await answerOf(socket) })),
  );
  assert.deepEqual(refused.answer, [429, 'rate_limited']);
  const held = [first, second, third].filter((socket) => socket !== refused.socket);
  for (const socket of held) socket.destroy();
  for (;;) {
    const again = await begin('ticket/create', {
      ...large,
      ...own,
      'content-length': String(SMALL_BODY + 3),
    });
    again.write(`"a":"${' '.repeat(SMALL_BODY - 5)}"}`);
    const [status, error] = await answerOf(again);
    if (status === 429) continue; // the server has not seen yet that they are gone
    assert.deepEqual([status, error], [422, 'validation_failed']);
    break;
  }
});
