import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';

const fixture = await openFixture();
const { call, data } = openRequests(fixture);
const order = { duration: 1, tos: true, cancellation: true, auto_renew: true };

test('the balance of an account that has nothing', async () => {
  const { secret: token } = await fixture.customer(0n);
  assert.deepEqual(await data('account/balance', {}, { token }), {
    balance: 0,
    reserved: 0,
    available: 0,
    balance_minor: 0,
    currency: 'EUR',
    credit_limit: 0,
    low_balance_threshold: null,
    forecast: { next_30_days: 0, covered_until: null, first_uncovered: null },
    updated_at: '2027-01-15 12:00:00',
  });
});

test('the forecast knows what renews, what it costs now, and what lapses first', async () => {
  const customer = await fixture.customer(15_000n);
  const sent = { token: customer.secret };
  const cheap = await data('panel/order', { ...order, pack_uuid: LICENSE }, sent);
  const dear = await data('panel/order', { ...order, pack_uuid: DEAR_LICENSE }, sent);
  await data('panel/order', { ...order, pack_uuid: DEAR_LICENSE, auto_renew: false }, sent);
  const balance = await data('account/balance', {}, sent);
  assert.equal(balance.balance, 46.01);
  assert.deepEqual(balance.forecast, {
    next_30_days: 0,
    covered_until: '2027-02-15 12:00:00',
    first_uncovered: { type: 'license', uuid: dear.license_uuid },
  });
  fixture.clock.set(fixture.clock.now().add({ hours: 24 * 10 }));
  assert.equal((await data('account/balance', {}, sent)).forecast.next_30_days, 53.99);
  await fixture.pool.pg.query("UPDATE services SET state = 'cancel_scheduled' WHERE id = $1", [
    dear.license_uuid,
  ]);
  const { forecast } = await data('account/balance', {}, sent);
  assert.equal(forecast.next_30_days, 3.99);
  assert.deepEqual(forecast.first_uncovered, { type: 'license', uuid: cheap.license_uuid });
  assert.equal(forecast.covered_until, '2028-01-15 12:00:00', '46.01 are eleven months at 3.99');
});

test('servers renew at the price of what they are, and what is being delivered is held', async () => {
  const customer = await fixture.customer(5_000n);
  const sent = { token: customer.secret };
  const server = { ...order, host: 'fra-epyc', os: 'debian-13', hostname: 'web.example.com' };
  const own = { ...server, cores: 2, memory: 2048, disk: 40 };
  const { status, text } = await call('server/order', own, sent);
  assert.equal(status, 202, text);
  const { server_uuid, charged } = JSON.parse(text).data;
  const before = await data('account/balance', {}, sent);
  assert.equal(before.reserved, charged.gross);
  assert.equal(before.available, (5_000 - charged.gross_minor) / 100);
  assert.deepEqual(before.forecast.first_uncovered, null, 'nothing renews that is not there yet');
  const [pending] = (await data('account/transactions', {}, sent)).transactions;
  assert.deepEqual(
    [pending.state, pending.amount, pending.tax, pending.reference],
    ['pending', charged.gross, charged.tax, { type: 'server', uuid: server_uuid }],
  );
  await fixture.pool.pg.query("UPDATE services SET state = 'active' WHERE id = $1", [server_uuid]);
  fixture.clock.set(fixture.clock.now().add({ hours: 24 * 10 }));
  const { forecast } = await data('account/balance', {}, sent);
  assert.equal(forecast.next_30_days, charged.gross);
  assert.deepEqual(forecast.first_uncovered, { type: 'server', uuid: server_uuid });
});

test('held money is not available, and credit is', async () => {
  const customer = await fixture.customer(1_000n);
  await fixture.pool.pg.query(
    'UPDATE accounts SET reserved = 250, credit_limit = 500, floor = -500 WHERE id = $1',
    [customer.accountId],
  );
  const balance = await data('account/balance', {}, { token: customer.secret });
  assert.equal(balance.balance, 10);
  assert.equal(balance.reserved, 2.5);
  assert.equal(balance.credit_limit, 5);
  assert.equal(balance.available, 12.5);
});
