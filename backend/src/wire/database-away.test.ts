import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';
import { relayTo } from '../../test/relay.ts';
import { until } from '../../test/until.ts';
import { operations } from '../operations.generated.ts';

let relay: Awaited<ReturnType<typeof relayTo>> | undefined;
const harness = await openHarness({
  through: async (url) => {
    relay = await relayTo(url);
    return relay.url;
  },
});
const get = async (path: string) => (await harness.client.send({ method: 'GET', path })).status;

test('while the database is away: 503 with Retry-After; when it is back, all is well by itself', async () => {
  const [customer, operator] = await Promise.all([harness.customer(), harness.operator()]);
  await relay?.cut();
  for (const operation of operations) {
    const { audience } = operation;
    const as = audience === 'staff' ? operator : audience === 'public' ? null : customer;
    const answer = await harness.call(operation, { as, input: operation.example.input });
    // What is public may need no database.
    if (as === null && answer.status < 500) continue;
    assert.deepEqual(
      [answer.status, answer.body.error, answer.body.backend, answer.body.retryable],
      [503, 'backend_unavailable', 'database', true],
      `${operation.path}: ${answer.text}`,
    );
    assert.ok(Number(answer.headers['retry-after']) > 0);
  }
  assert.deepEqual([await get('/healthz'), await get('/readyz')], [200, 503]);
  const { text } = await harness.client.send({ method: 'GET', path: '/readyz' });
  assert.equal(text, 'not ready: database\n', 'why is for the log');
  assert.match(await harness.metrics(), /^hostkeep_database_up 0$/m);

  await relay?.mend();
  assert.equal(await get('/healthz'), 200);
  // An answer is kept for a moment.
  await until(
    async () => ((await get('/readyz')) === 200 ? true : null),
    () => 'it is not ready again',
  );
  assert.equal((await harness.call('account/session', { as: customer })).status, 200);
  const made = await harness.call('account/token-create', {
    as: customer,
    input: { name: 'x', scopes: ['*'] },
  });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(harness.logged, []);
});
