import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { selfSigned } from '../../test/certificate.ts';
import { isGlobalUnicast } from './global-address.ts';
import { type OutboundOptions, openOutbound, type Resolve } from './outbound.ts';

const HOST = 'hooks.example.com';
const certificate = selfSigned(HOST);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A receiver on loopback, as whatever it does; requests that came, and how many connections. */
async function receiver(answer: Answer, { key, cert } = certificate) {
  const seen: { url: string | undefined; host: string | undefined; body: string }[] = [];
  const server = createServer({ key, cert }, async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    seen.push({ url: request.url, host: request.headers.host, body });
    answer(request, response);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { seen, sockets, port, url: `https://${HOST}:${port}/in?x=1` };
}

const ok: Answer = (_request, response) => void response.end('ok');
/** The world, for a receiver on loopback: all other rules stay. */
const WORLD: OutboundOptions = {
  resolve: async () => ['127.0.0.1'],
  permits: (address) => address === '127.0.0.1' || isGlobalUnicast(address),
  ca: certificate.cert,
};
const post = (url: string, options: OutboundOptions = {}) =>
  openOutbound({ ...WORLD, ...options })({
    url,
    method: 'POST',
    headers: { 'x-test': '1' },
    body: '{"a":"ü"}',
  });

test('a request arrives, with its own host and body, and its answer comes back', async () => {
  const { url, port, seen } = await receiver(
    (_, response) => void response.writeHead(418).end('short and stout'),
  );
  const answer = await post(url);
  assert.deepEqual([answer.status, answer.body.toString()], [418, 'short and stout']);
  assert.deepEqual(seen, [{ url: '/in?x=1', host: `${HOST}:${port}`, body: '{"a":"ü"}' }]);
});

test('nothing connects to an address that is not public, be it named, written, or one of several', async () => {
  const { port, sockets } = await receiver(ok);
  const { permits: _, ...strict } = WORLD;
  const outbound = openOutbound(strict);
  const refused = /not public/;
  for (const host of [HOST, '127.0.0.1', '2130706433', '0177.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])
    await assert.rejects(
      outbound({ url: `https://${host}:${port}/`, method: 'GET', headers: {} }),
      refused,
      host,
    );
  for (const addresses of [
    ['10.0.0.1'],
    ['8.8.8.8', '169.254.169.254'],
    ['2606:4700::1', 'fe80::1%eth0'],
    ['x'],
  ])
    await assert.rejects(
      post(`https://${HOST}:${port}/`, { ...strict, resolve: async () => addresses }),
      refused,
    );
  assert.equal(sockets.size, 0);
});

test('a name that means something else a moment later (DNS rebinding) leads to what was checked', async () => {
  const { url, seen } = await receiver(ok);
  let asked = 0;
  const rebinding: Resolve = async () => {
    asked += 1;
    return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
  };
  const options = { resolve: rebinding, permits: (address: string) => address === '127.0.0.1' };
  assert.equal((await post(url, options)).status, 200);
  assert.equal(asked, 1, 'the name is asked for once');
  await assert.rejects(post(url, options), /not public/);
  assert.equal(seen.length, 1);
});

test('an address that does not answer leaves the turn to the next one', async () => {
  const { url } = await receiver(ok);
  const resolve: Resolve = async () => ['::1', '127.0.0.1'];
  assert.equal((await post(url, { resolve, permits: () => true })).status, 200);
});

/** The system refuses a connection to these at once, with or without a network: limited broadcast, multicast. */
const UNREACHABLE = ['255.255.255.255', 'ff02::1'];

test('an address that nothing leads to is a failure like others, also beside one that answers', async () => {
  const permits = () => true;
  const attempts = UNREACHABLE.map((address) => ({ host: HOST, resolve: async () => [address] }));
  attempts.push({ host: HOST, resolve: async () => UNREACHABLE });
  attempts.push(...['255.255.255.255', '[ff02::1]'].map((host) => ({ host, resolve: async () => [] })));
  for (const { host, resolve } of attempts)
    await assert.rejects(
      post(`https://${host}/`, { resolve, permits }),
      /^OutboundFailure: the connection failed/,
    );
  const { url } = await receiver(ok);
  const resolve = async () => [...UNREACHABLE, '127.0.0.1'];
  assert.equal((await post(url, { resolve, permits })).status, 200);
});

test('a name without an address, or that cannot be asked for, is told as that', async () => {
  await assert.rejects(post(`https://${HOST}/`, { resolve: async () => [] }), /has no address/);
  const broken: Resolve = async () => {
    throw Object.assign(new Error('no'), { code: 'ESERVFAIL' });
  };
  await assert.rejects(post(`https://${HOST}/`, { resolve: broken }), /failed \(ESERVFAIL\)/);
});

test('plain http, other ports, passwords: refused without asking for the name', async () => {
  const resolve: Resolve = () => assert.fail('asked for');
  for (const url of [
    `http://${HOST}/`,
    `https://${HOST}:25/`,
    `https://a:b@${HOST}/`,
    'https://localhost/',
    '',
  ])
    await assert.rejects(post(url, { resolve }), /not one that requests may go to/);
});

test('redirects are answers like others: nobody follows them', async () => {
  const inner = await receiver(ok);
  const location = `https://127.0.0.1:${inner.port}/`;
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await receiver((_, response) => void response.writeHead(status, { location }).end());
    assert.equal((await post(url)).status, status);
  }
  assert.equal(inner.sockets.size, 0);
});

test('a certificate for another name, or of nobody who is trusted, is not accepted', async () => {
  const other = selfSigned('other.example.com');
  const { url, seen } = await receiver(ok, other);
  await assert.rejects(post(url, { ca: other.cert }), /ERR_TLS_CERT_ALTNAME_INVALID/);
  await assert.rejects(post(url), /DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED/);
  assert.equal(seen.length, 0);
});

test('an endless answer is read up to 64 KiB, and the connection ends', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await receiver((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(16_384)));
    };
    response.on('drain', more).on('close', closed.resolve);
    more();
  });
  const answer = await post(url);
  assert.deepEqual([answer.status, answer.body.length], [200, 65_536]);
  await closed.promise;
});

const LIMIT = { timeoutMs: 300 };
const late = /no answer within 0.3 seconds/;

test('who takes too long is left: no answer, a trickle of headers or of the body, a name that never resolves', async () => {
  const silent = await receiver(() => {});
  await assert.rejects(post(silent.url, LIMIT), late);
  const trickle: Answer = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  };
  await assert.rejects(post((await receiver(trickle)).url, LIMIT), late);
  const hints: Answer = (_, response) => {
    const timer = setInterval(() => response.writeProcessing(), 20);
    response.on('close', () => clearInterval(timer));
  };
  await assert.rejects(post((await receiver(hints)).url, LIMIT), late);
  await assert.rejects(post(silent.url, { ...LIMIT, resolve: () => new Promise(() => {}) }), late);
});

/** A port where TCP is spoken, and no TLS. */
async function rawPort(speak: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

test('who accepts and says nothing, talks nonsense, or hangs up: a failure that names no address', async () => {
  const silent = await rawPort(() => {});
  await assert.rejects(post(`https://${HOST}:${silent}/`, LIMIT), late);
  const nonsense = await rawPort((socket) => socket.write('220 smtp.example.com ESMTP\r\n'));
  const closing = await rawPort((socket) => socket.destroy());
  for (const port of [nonsense, closing]) {
    await assert.rejects(post(`https://${HOST}:${port}/`), (error: Error) => {
      assert.match(error.message, /^the connection (failed \(\w+\)|was closed without an answer)$/);
      return true;
    });
  }
});

test('headers without end, an upgrade, and a connection that breaks within the body are failures', async () => {
  const headers: Answer = (_, response) =>
    void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
  const upgrade: Answer = (_, response) => {
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  };
  const broken: Answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('part');
    setImmediate(() => response.socket?.destroy());
  };
  for (const answer of [headers, upgrade, broken]) {
    const { url } = await receiver(answer);
    await assert.rejects(post(url), { name: 'OutboundFailure' });
  }
});
