// Slow: 5 s

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openFixture } from '../../test/fixture.ts';
import { openRequests } from '../../test/requests.ts';
import { Consoles } from './console/consoles.ts';
import { addConsoleSocket, isConsoleUpgrade } from './console/socket-route.ts';
import { Drain } from './drain.ts';
import { httpServer } from './http.ts';

const fixture = await openFixture();
const { pool, clock } = fixture;
const logged: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) });

/** A server with a route that answers when the test lets it. */
async function open(drain: Drain, arrival?: { readonly limitMs: number; readonly lookMs: number }) {
  const app = httpServer({
    operations: [],
    runner: openRequests(fixture).runner,
    log,
    publicUrl: () => 'https://hostkeep.example',
    trustedProxies: [],
    takesUpgrade: isConsoleUpgrade,
    isDraining: () => drain.isDraining,
    ...(arrival && { arrival }),
  });
  drain.watch(app.server);
  const entered = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<string>();
  app.get('/slow', async () => {
    entered.resolve();
    return await answered.promise;
  });
  app.get('/streamed', (_request, reply) => {
    reply.hijack();
    reply.raw.write('begun');
  });
  app.post('/echo', async () => 'done');
  const unused = { console: () => Promise.reject(new Error()), status: () => Promise.reject(new Error()) };
  addConsoleSocket(app, {
    consoles: new Consoles({ pool, hypervisor: unused as never, clock, log }),
    publicUrl: () => 'https://hostkeep.example',
    origins: [],
    countStranger: async () => {},
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    entered: entered.promise,
    answer: answered.resolve,
  };
}

const server = await open(new Drain());
const hasty = await open(new Drain(), { limitMs: 50, lookMs: 20 });
after(async () => {
  await Promise.all([server.app.close(), hasty.app.close()]);
});

/** A connection that the client never closes by itself. */
async function connection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the server has closed the connection. */
async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => {});
  // Destroyed by the other side, or ended: `close` comes only after our own end.
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.destroy();
  return text;
}

async function refused(port: number, sent: string): Promise<{ status: number; error: string; head: string }> {
  const socket = await connection(port);
  socket.write(sent, 'latin1');
  const text = await rest(socket);
  const [head = '', body = ''] = [
    text.slice(0, text.indexOf('\r\n\r\n')),
    text.slice(text.indexOf('\r\n\r\n') + 4),
  ];
  const parsed = JSON.parse(body);
  const status = Number(head.split(' ')[1]);
  assert.equal(parsed.state, 'error');
  assert.deepEqual([parsed.code, parsed.status], [status, status]);
  assert.match(parsed.type, /^https:\/\/hostkeep\.example\/docs\/errors#/);
  assert.match(head, /content-type: application\/json/i);
  assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body, 'latin1')}(\\r|$)`, 'i'));
  return { status, error: parsed.error, head };
}

const CLOSE = 'Connection: close\r\n\r\n';
const UPGRADE = `GET /console/socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
const TICKET = `Sec-WebSocket-Protocol: binary, ticket.${'a'.repeat(43)}\r\n`;
const REFUSALS: readonly (readonly [what: string, status: number, error: string, sent: string])[] = [
  ['words that are no HTTP', 400, 'malformed_request', 'hello there\r\n\r\n'],
  ['a beginning of TLS', 400, 'malformed_request', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['the beginning of HTTP/2', 400, 'malformed_request', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a method that HTTP does not know', 400, 'malformed_request', `FOO / HTTP/1.1\r\nHost: a\r\n${CLOSE}`],
  ['a method that no route takes', 404, 'operation_not_found', `PROPFIND / HTTP/1.1\r\nHost: a\r\n${CLOSE}`],
  ['no Host', 400, 'malformed_request', `GET /slow HTTP/1.1\r\n${CLOSE}`],
  ['two Hosts', 400, 'malformed_request', `GET /slow HTTP/1.1\r\nHost: a\r\nhost: b\r\n${CLOSE}`],
  [
    'an unknown Expect',
    417,
    'expectation_failed',
    `GET /slow HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n${CLOSE}`,
  ],
  ['CONNECT', 405, 'method_not_allowed', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'],
  [
    'headers that are too large',
    431,
    'headers_too_large',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  ['an address that is not valid', 400, 'malformed_request', `GET /% HTTP/1.1\r\nHost: a\r\n${CLOSE}`],
  [
    'two lengths',
    400,
    'malformed_request',
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
  [
    'a chunk without a length',
    400,
    'malformed_request',
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
  [
    'an upgrade to something else',
    404,
    'operation_not_found',
    `GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n`,
  ],
  [
    'a WebSocket without a ticket',
    426,
    'upgrade_required',
    `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  ],
  [
    'a WebSocket without a key',
    426,
    'upgrade_required',
    `${UPGRADE}${TICKET}Sec-WebSocket-Version: 13\r\n\r\n`,
  ],
  [
    'a WebSocket of another version',
    426,
    'upgrade_required',
    `${UPGRADE}${TICKET}Sec-WebSocket-Version: 9\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  ],
];
for (const [what, status, error, sent] of REFUSALS) {
  test(`the one error body answers ${what}`, async () => {
    const answer = await refused(server.port, sent);
    assert.deepEqual([answer.status, answer.error], [status, error]);
  });
}

test('the one error body answers what does not arrive in time', async () => {
  for (const half of [
    'GET /slow HT',
    'GET /slow HTTP/1.1\r\nHost: a\r\n',
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ]) {
    const answer = await refused(hasty.port, half);
    assert.deepEqual([answer.status, answer.error], [408, 'request_timeout'], half);
  }
});

test('nothing is put into an answer that has begun', async () => {
  const socket = await connection(server.port);
  socket.write('GET /streamed HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'readable');
  socket.write('hello there\r\n\r\n');
  assert.doesNotMatch(await rest(socket), /malformed_request/);
});

test('while it drains, requests are served and their connections closed; then what is under way is answered', async () => {
  const drain = new Drain({ answersMs: 240_000, arrivalsMs: 0 });
  const { app, port, entered, answer } = await open(drain);
  const [kept, slow, silent] = await Promise.all([connection(port), connection(port), connection(port)]);
  slow.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  await entered;
  const unheard = rest(silent);
  await drain.drain(0);
  assert.equal(drain.check().ok, false);
  kept.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
  assert.match(await rest(kept), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*done$/i);
  const late = await connection(port);
  late.write('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
  assert.match(await rest(late), /^HTTP\/1\.1 200 OK/);
  const last = rest(slow);
  const closed = drain.close(app, log);
  answer('slow');
  assert.match(await last, /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*slow$/i);
  await closed;
  assert.equal(await unheard, '');
});

test('a request that is never answered does not keep a server open', async () => {
  const drain = new Drain({ answersMs: 0, arrivalsMs: 0 });
  const { app, port, entered, answer } = await open(drain);
  const socket = await connection(port);
  socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  await entered;
  const unheard = rest(socket);
  await drain.close(app, log);
  assert.equal(await unheard, '');
  answer('too late');
});

test('none of this is a fault of ours', () => assert.deepEqual(logged, []));

test('where customers come by https, every answer has their browsers stay with it', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/nothing`);
  assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000');
});
