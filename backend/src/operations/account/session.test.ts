import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data } = openRequests(fixture);

test('a session tells who calls, with what, and how much is left', async () => {
  const customer = await fixture.customer(0n, { spendingLimit: 1_000n });
  const limited = openRequests(fixture, { limits: { perToken: 60, perAddress: 60 } });
  const received = await limited.call('account/session', {}, { token: customer.secret });
  const session = received.body.data;
  const { email, customer_number, created_at, ...account } = session.account;
  assert.deepEqual(account, {
    uuid: customer.accountId,
    email_verified: false,
    first_name: 'Test',
    last_name: 'Customer',
    locale: 'en',
    timezone: 'UTC',
    currency: 'EUR',
    role: 'owner',
    state: 'active',
  });
  assert.match(customer_number, /^\d{5,}$/);
  assert.equal(session.token.uuid, customer.tokenId);
  assert.deepEqual(session.token.spending_limit, { per_day: 10, remaining_today: 10 });
  assert.equal(session.rate_limit.limit, 60);
  assert.equal(String(session.rate_limit.remaining), received.headers['ratelimit-remaining']);
  assert.equal(session.rate_limit.reset_at, '2027-01-15 12:01:00');
  assert.equal(session.server_time, '2027-01-15 12:00:00');
});

test('what a token spent today is taken off its budget, and comes back tomorrow', async () => {
  const { secret: token } = await fixture.customer(100_000n, { spendingLimit: 1_000n });
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  await data('panel/order', order, { token });
  const remaining = async () =>
    (await data('account/session', {}, { token })).token.spending_limit.remaining_today;
  assert.equal(await remaining(), 6.01);
  fixture.clock.set(fixture.clock.now().add({ hours: 12 }));
  assert.equal(await remaining(), 10);
});

test('an operator has a session without an account', async () => {
  const session = await data('account/session', {}, { token: await staffToken(fixture) });
  assert.equal(session.account, null);
  assert.deepEqual(session.token.scopes, ['*']);
});

test('an answer with a token says when it was last used, once a minute', async () => {
  const { secret: token } = await fixture.customer(0n);
  const one = openRequests(fixture);
  const lastUsed = async () => {
    const session = await one.data('account/session', {}, { token });
    await one.runner.close();
    return session.token.last_used_at;
  };
  const first = fixture.clock.now().toString().slice(0, 19).replace('T', ' ');
  await lastUsed();
  assert.equal(await lastUsed(), first, 'the request before is what it tells of');
  fixture.clock.set(fixture.clock.now().add({ seconds: 59 }));
  assert.equal(await lastUsed(), first);
  assert.equal(await lastUsed(), first, 'not yet a minute');
  fixture.clock.set(fixture.clock.now().add({ seconds: 2 }));
  await lastUsed();
  assert.notEqual(await lastUsed(), first);
});
