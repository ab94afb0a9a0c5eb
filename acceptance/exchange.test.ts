import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Api } from './api.ts';

const server = createServer((request, response) => {
  if (request.url?.endsWith('/refuse')) {
    response.writeHead(413, { 'content-type': 'application/problem+json', connection: 'close' });
    response.end('{"code":413}');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, hex: Buffer.concat(chunks).toString('hex') }));
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
after(() => server.close());
const { port } = server.address() as AddressInfo;
const api = new Api([`http://127.0.0.1:${port}`], 'hk_test');

test('a GET carries its JSON body, and a raw body arrives byte for byte', async () => {
  const get = await api.call('GET', 'panel/details', { json: { uuid: 'ü' }, query: { a: ['1', '2'] } });
  assert.deepEqual(get.body, {
    method: 'GET',
    url: '/api/v2/panel/details?a=1&a=2',
    headers: {
      accept: 'application/json',
      authorization: 'Bearer hk_test',
      'content-type': 'application/json',
      'content-length': '13',
      host: `127.0.0.1:${port}`,
      connection: 'close',
    },
    hex: Buffer.from('{"uuid":"ü"}').toString('hex'),
  });
  const raw = await api.call('POST', '/readyz', { rawBody: Uint8Array.of(0, 255, 128), token: null });
  assert.match(raw.text, /"hex":"00ff80"/);
  assert.match(raw.text, /"url":"\/readyz"/);
});

test('an answer that comes before the body was read is still an answer', async () => {
  const answer = await api.call('POST', 'refuse', { rawBody: 'x'.repeat(1_000_000) });
  assert.equal(answer.status, 413);
  assert.deepEqual(answer.body, { code: 413 });
});

test('requests go to the base addresses in turn', async () => {
  const both = new Api([`http://127.0.0.1:${port}`, `http://localhost:${port}`], null);
  const seen = [await both.get('a'), await both.get('b'), await both.get('c')];
  assert.deepEqual(
    seen.map((answer) => /"host":"([a-z0-9.]+):/.exec(answer.text)?.[1]),
    ['127.0.0.1', 'localhost', '127.0.0.1'],
  );
});
