// Slow: 4 s

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { openHarness } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { parseSampling } from '../base/sampling.ts';
import { type AccessLine, AccessLog } from './access-log.ts';

const harness = await openHarness({ logLevel: 'trace' });
const { client } = harness;

function lines(): AccessLine[] {
  return harness.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
}

/** The one line that `look` finds, which may come a moment after the answer. */
async function lineOf(look: (line: AccessLine) => boolean): Promise<AccessLine> {
  const found = await until(
    async () => lines().filter(look)[0],
    () => `there is no such line among ${JSON.stringify(lines())}`,
    5,
  );
  assert.equal(lines().filter(look).length, 1);
  return found;
}

/** Sends these bytes as they are, and reads until the end. */
function raw(text: string, hangUp = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = client.address;
    const socket = connect(Number(port), hostname, () => {
      socket.write(text, () => {
        if (hangUp) socket.destroy();
      });
    });
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk;
    });
    socket.on('close', () => resolve(read));
    socket.on('error', reject);
  });
}

test('a request leaves one line: who asked for what, how it ended, how long it took and how much was sent', async () => {
  const customer = await harness.customer();
  const answer = await harness.call('account/token-create', {
    as: customer,
    input: { name: 'the-name-in-the-body', scopes: ['*'] },
  });
  const id = answer.headers['x-request-id'];
  const line = await lineOf(({ request_id }) => request_id === id);
  const { ms, ...rest } = line;
  assert.ok(ms > 0);
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(rest).filter(([name]) => !['level', 'time', 'pid', 'hostname', 'msg'].includes(name)),
    ),
    {
      method: 'POST',
      operation: 'account/token-create',
      status: 200,
      request_id: id,
      account_id: customer.accountId,
      token_id: customer.tokenId,
      bytes: Buffer.byteLength(answer.text),
    },
  );
  const everything = harness.logged.join('');
  for (const secret of [customer.token, answer.body.data.token, 'the-name-in-the-body'])
    assert.ok(!everything.includes(secret), 'neither secrets nor bodies are logged');
});

test('who is refused is named as far as they are known, and no query, unknown address or path of a link is told', async () => {
  const customer = await harness.customer();
  const narrow = await harness.tokenOf(customer, { scopes: ['panel:read'] });
  const refused = await harness.call('account/token-create', {
    as: narrow,
    input: { name: 'x', scopes: [] },
  });
  assert.equal(refused.status, 403);
  const line = await lineOf(({ request_id }) => request_id === refused.headers['x-request-id']);
  assert.deepEqual([line.status, line.account_id, line.token_id], [403, customer.accountId, narrow.tokenId]);

  const expected = async (method: 'GET' | 'POST', path: string, operation: string | null, status: number) => {
    const { headers, status: got } = await client.send({ method, path });
    assert.equal(got, status, path);
    const line = await lineOf(({ request_id }) => request_id === headers['x-request-id']);
    assert.deepEqual([line.operation, line.status, line.account_id], [operation, status, undefined], path);
  };
  await expected('GET', '/api/v2/panel/packages?x=query-of-theirs', 'panel/packages', 422);
  await expected('GET', '/api/v2/account/session', 'account/session', 401);
  await expected('POST', '/api/v2/account/session', 'account/session', 405);
  await expected('GET', '/api/v2/panel/mistaken', 'panel/mistaken', 404);
  await expected('GET', '/api/v2/panel/S3cret-of-theirs', null, 404);
  await expected('GET', '/somewhere/secret-of-theirs', null, 404);
  await expected('GET', '/api/v2/%zz', null, 400);
  assert.doesNotMatch(harness.logged.join(''), /of-theirs/);
});

test('what is no HTTP, and who hangs up, leave a line as well; who asks whether all is well does not', async () => {
  const answer = await raw('this is not HTTP\r\n\r\n');
  const { request_id } = JSON.parse(answer.slice(answer.indexOf('{')));
  const malformed = await lineOf((line) => line.request_id === request_id);
  assert.deepEqual([malformed.method, malformed.operation, malformed.status], [null, null, 400]);

  await raw(
    'POST /api/v2/account/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    true,
  );
  const aborted = await lineOf((line) => line.aborted === true);
  assert.equal(aborted.operation, 'account/login');

  for (const path of ['/healthz', '/readyz', '/docs'])
    assert.equal((await client.send({ method: 'GET', path })).status, 200);
  await lineOf(({ operation }) => operation === '/docs');
  assert.deepEqual(
    lines().filter(({ operation }) => /^.(healthz|readyz)$/.test(operation ?? '')),
    [],
  );
});

test('the operator chooses which: all, a share of those that succeed, those that fail, or none', () => {
  const written = (setting: string, statuses: readonly number[]) => {
    const found: number[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => found.push(JSON.parse(line).status) });
    const sampling = parseSampling(setting);
    assert.ok(sampling !== null);
    let turn = 0;
    const access = new AccessLog({ log, sampling, basePath: '/api/v2', random: () => (turn++ % 10) / 10 });
    for (const status of statuses)
      access.write({ method: 'GET', operation: 'a/b', status, ms: 1, request_id: 'x', bytes: 1 });
    return found;
  };
  const many = Array.from({ length: 20 }, () => 200);
  assert.deepEqual(written('all', [200, 404, 500]), [200, 404, 500]);
  assert.deepEqual(written('errors', [200, 404, 500]), [404, 500]);
  assert.deepEqual(written('off', [200, 404, 500]), []);
  assert.deepEqual(written('1/10', [...many, 404]), [200, 200, 404]);
  for (const wrong of ['', 'some', '1/0', '2/3', '1/', '1/1e9'])
    assert.equal(parseSampling(wrong), null, wrong);
});
