import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { timeTravel } from '../../../test/time-travel.ts';
import { wireTime } from '../../base/time.ts';

const fixture = await openFixture();
const { call, data } = openRequests(fixture);
const { sell, travel, charges } = timeTravel(fixture);
const staff = { token: await staffToken(fixture) };
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

test('a discount of a few terms is forecast for those, and the money runs out when it does', async () => {
  const { secret: token } = await fixture.customer(5_000n);
  await data('staff/discount-create', { code: 'TWICE', percent: 90, cycles: 2 }, staff);
  const start = fixture.clock.now();
  const input = { ...order, pack_uuid: DEAR_LICENSE, discount_code: 'TWICE' };
  const { license_uuid: uuid } = await data('panel/order', input, { token });
  const months = (count: number) => start.toZonedDateTimeISO('UTC').add({ months: count }).toInstant();
  const { balance, forecast } = await data('account/balance', {}, { token });
  assert.equal(balance, 45);
  assert.equal(forecast.covered_until, wireTime(months(2)), 'one more term for 5.00, then 50.00 of 40.00');
  assert.deepEqual(forecast.first_uncovered, { type: 'license', uuid });
  await travel(months(3).toString());
  assert.deepEqual(
    (await charges(uuid)).map(({ gross }) => gross),
    [500n, 500n],
  );
});

test('by the hour, what is free at first is not forecast to stay free', async () => {
  await sell((document) => {
    for (const pack of document.license_packages)
      Object.assign(pack, {
        durations: ['hour', 'month'].map((unit) => ({ duration: 1, duration_unit: unit })),
      });
  });
  const { secret: token } = await fixture.customer(10_000n);
  await data('staff/discount-create', { code: 'FREE', percent: 100, cycles: 2 }, staff);
  const hourly = { ...order, duration_unit: 'hour', pack_uuid: DEAR_LICENSE, discount_code: 'FREE' };
  await data('panel/order', hourly, { token });
  const { forecast } = await data('account/balance', {}, { token });
  assert.equal(forecast.next_30_days, 71.8, '719 renewals at 0.10, of which the first is free');
  assert.equal(forecast.covered_until, wireTime(fixture.clock.now().add({ hours: 2 + 1_000 })));
});

test('what was cancelled while it is suspended costs nothing more, and nothing is shown for it', async () => {
  const { secret: token } = await fixture.customer(2_000n);
  const { license_uuid: uuid } = await data('panel/order', { ...order, pack_uuid: LICENSE }, { token });
  await data('staff/suspend', { uuid, reason: 'abuse' }, staff);
  fixture.clock.set(fixture.clock.now().add({ hours: 24 * 20 }));
  const expiring = async () => {
    const [shown] = (await data('account/dashboard', {}, { token })).expiring;
    return [shown.resource.uuid, shown.renewal_gross, shown.covered];
  };
  assert.equal((await data('account/balance', {}, { token })).forecast.next_30_days, 3.99, 'it would renew');
  assert.deepEqual(await expiring(), [uuid, 3.99, true]);
  await data('panel/cancel', { uuid, mode: 'end_of_term' }, { token });
  const none = { next_30_days: 0, covered_until: null, first_uncovered: null };
  assert.deepEqual((await data('account/balance', {}, { token })).forecast, none);
  assert.deepEqual(await expiring(), [uuid, null, false]);
  const { services } = await data('account/services', {}, { token });
  assert.equal(services[0].renewal_gross, null);
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
