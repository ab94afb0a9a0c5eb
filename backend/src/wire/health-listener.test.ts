import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openFixture } from '../../test/fixture.ts';
import { type Check, Health } from './health.ts';
import { openHealthListener } from './health-listener.ts';
import { Metrics } from './metrics.ts';

const { pool: db, clock } = await openFixture();
const reason: { check: Check } = { check: { name: 'drained', ok: true } };
const listener = await openHealthListener(
  { host: '127.0.0.1', port: 0 },
  {
    health: new Health({
      db,
      catalogs: {
        current: () => {
          throw new Error('secret-host has no catalogue');
        },
      },
      clock,
      reasons: [() => reason.check],
    }),
    metrics: new Metrics({ pools: { only: db }, machineAhead: () => 0 }),
    db,
    clock,
    log: pino({ level: 'silent' }),
  },
);
after(() => listener.close());

const get = async (path: string, accept = '*/*') => {
  const answer = await fetch(`${listener.address}${path}`, { headers: { accept } });
  return { status: answer.status, text: await answer.text() };
};

test('a worker answers for its health on a listener of its own, in JSON to who wants it, and tells no details', async () => {
  assert.deepEqual(await get('/healthz'), { status: 200, text: 'ok\n' });
  assert.deepEqual(await get('/readyz'), { status: 503, text: 'not ready: database\n' });
  reason.check = { name: 'drained', ok: false, detail: 'secret-host' };
  const { status, text } = await get('/readyz', 'application/json');
  assert.equal(status, 503);
  assert.deepEqual(JSON.parse(text), {
    ready: false,
    checks: [
      { name: 'database', ok: false },
      { name: 'drained', ok: false },
    ],
  });
  assert.match((await get('/metrics')).text, /^hostkeep_pool_connections\{pool="only",state="idle"\} \d+$/m);
});

test('whatever else is asked there gets the one error body', async () => {
  const { status, text } = await get('/api/v2/panel/packages');
  assert.deepEqual(
    [status, JSON.parse(text).error, JSON.parse(text).state],
    [404, 'operation_not_found', 'error'],
  );
});
