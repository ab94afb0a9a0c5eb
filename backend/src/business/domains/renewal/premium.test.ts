// Slow: 7 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import askPremium from './ask-premium.job.ts';

const domains = await openDomains();
const { clock, pool } = domains;
const at = (text: string) => Temporal.Instant.from(text);
const NAME = 'premium-name.com';

test('a premium name is sold at its registry’s price once that is confirmed, and never without', async () => {
  const customer = await domains.customer(100_000n);
  const wanted = { domain: 'premium-first.com', use_account_address: false };
  const refused = await domains.requests.refused(
    'premium_not_confirmed',
    'domain/order',
    { ...wanted, tos: true, cancellation: true },
    { token: customer.secret },
  );
  assert.equal(refused.pricing.register, 249);
  const ordered = await domains.order(customer, { ...wanted, premium_confirmed: true });
  assert.equal(ordered.premium, true);
  assert.equal(ordered.charged.gross, 249);
  await domains.work();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
  assert.equal(await domains.balanceOf(customer), 100_000n - 24_900n);
});

test('it renews itself at the price that was shown', async () => {
  const customer = await domains.customer(100_000n);
  const id = await domains.register(customer, NAME, { premium_confirmed: true });
  await domains.travel(at('2028-01-16T12:00:00Z'), { hours: 48 });
  assert.equal((await domains.domain(id)).expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.equal(await domains.balanceOf(customer), 100_000n - 24_900n - 9_900n);
});

test('dearer than it was shown it does not, its customer is told in time, and may agree', async () => {
  const customer = await domains.customer(100_000n);
  const name = 'premium-dearer.com';
  clock.set(at('2027-01-15T12:00:00Z'));
  const id = await domains.register(customer, name, { premium_confirmed: true });
  // As if it had been cheaper when it was ordered.
  await pool.pg.query('UPDATE domains SET premium_renewal = 500000 WHERE id = $1', [id]);
  clock.set(at('2027-12-10T12:00:00Z'));
  await domains.run(askPremium);
  await domains.work();
  assert.deepEqual(await domains.mails(customer, 'domain.price-changed'), [
    { domain: name, expire_at: '2028-01-15 12:00:00', renewal: '99.00 EUR' },
  ]);
  await domains.travel(at('2028-01-14T12:00:00Z'), { hours: 48 });
  assert.equal((await domains.domain(id)).expire_at.toString(), '2028-01-15T12:00:00Z');
  assert.ok((await domains.events(customer)).includes('domain.not_renewable'));
  assert.deepEqual(
    await domains.mails(customer, 'service.not-renewable'),
    [],
    'they were told more than that',
  );
  const wanted = { action: 'renew', domain: name };
  await domains.requests.refused(
    'premium_not_confirmed',
    'domain/order',
    { ...wanted, tos: true, cancellation: true },
    { token: customer.secret },
  );
  await domains.order(customer, { ...wanted, premium_confirmed: true });
  await domains.work();
  const row = await domains.domain(id);
  assert.equal(row.expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.equal(row.premium_renewal, 990_000n);
});

test('who takes one over from another customer is shown what it renews for, confirms that, and renews it for that', async () => {
  const [former, next] = [await domains.customer(100_000n), await domains.customer(100_000n)];
  const domain = 'premium-pushed.com';
  clock.set(at('2027-01-15T12:00:00Z'));
  const uuid = await domains.register(former, domain, { premium_confirmed: true });
  clock.set(at('2027-03-20T12:00:00Z'));
  const ask = async (path: string, input: object) =>
    (await domains.requests.call(path, input, { token: former.secret })).body.data;
  const { authcode } = await ask('domain/authcode', { uuid, unlock: true });
  await domains.work();
  const wanted = { action: 'transfer', domain, authcode };
  const { quote } = await domains.order(next, { ...wanted, dry_run: true });
  assert.deepEqual([quote.gross, quote.renewal_gross], [0, 99]);
  const consent = { tos: true, cancellation: true };
  const unconfirmed = { ...wanted, ...consent };
  const sent = { token: next.secret };
  await domains.requests.refused('premium_not_confirmed', 'domain/order', unconfirmed, sent);
  const ordered = await domains.order(next, { ...wanted, premium_confirmed: true, auto_renew: true });
  await ask('domain/transfer-answer', { uuid, answer: 'approve' });
  await domains.work();
  assert.equal(await domains.balanceOf(next), 100_000n);
  assert.equal((await domains.domain(ordered.domain_uuid)).premium_renewal, 990_000n);
  await domains.travel(at('2028-01-16T12:00:00Z'), { hours: 48 });
  assert.equal(await domains.balanceOf(next), 100_000n - 9_900n);
});

test('names whose registry does not answer keep no others from being asked, and are asked again', async () => {
  const customer = await domains.customer(100_000n);
  clock.set(at('2027-01-15T12:00:00Z'));
  const id = await domains.register(customer, 'premium-last.com', { premium_confirmed: true });
  // As many as one run asks about, of which each ends earlier, at a registry that does not answer.
  await pool.pg.query(
    `WITH s AS (INSERT INTO services (id, account_id, product, item, name, state, auto_renew, duration, duration_unit,
         anchor_day, expire_at, created_at)
       SELECT gen_random_uuid(), account_id, product, item, 'premium-silent-' || n || '.com', state, auto_renew, duration,
         duration_unit, anchor_day, expire_at - interval '1 day', created_at
       FROM services, generate_series(1, 100) n WHERE id = $1 RETURNING id, name)
     INSERT INTO domains (id, name, tld, registry, state, transfer_lock, whois_privacy, dns_hosted, dnssec, premium,
       premium_renewal)
     SELECT id, name, 'com', 'silent', 'active', false, false, false, false, true, 990000 FROM s`,
    [id],
  );
  clock.set(at('2027-12-20T12:00:00Z'));
  const asked = async () => {
    await domains.run(askPremium);
    const { rows } = await pool.pg.query<{ asked: boolean; silent: number }>(
      `SELECT (SELECT premium_asked IS NOT NULL FROM domains WHERE id = $1) AS asked,
         (SELECT count(*)::int FROM domains WHERE registry = 'silent' AND premium_asked_at <= $2) AS silent`,
      [id, clock.now().subtract({ hours: 24 }).toString()],
    );
    return rows[0];
  };
  assert.deepEqual(await asked(), { asked: false, silent: 0 });
  assert.deepEqual(await asked(), { asked: true, silent: 0 });
  clock.set(at('2027-12-20T13:00:00Z'));
  const { rows } = await pool.pg.query(
    "SELECT FROM domains WHERE registry = 'silent' AND premium_asked_at <= $1",
    [clock.now().subtract({ hours: 24 }).toString()],
  );
  assert.equal(rows.length, 100);
});
