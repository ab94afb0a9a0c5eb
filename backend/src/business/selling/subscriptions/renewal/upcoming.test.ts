import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../../test/domains.ts';
import { LICENSE } from '../../../../../test/fixture.ts';
import serviceLifecycle from './lifecycle.job.ts';

const domains = await openDomains();
const { clock, pool, run, work } = domains;
const { data } = domains.requests;
const set = (moment: string) => clock.set(Temporal.Instant.from(moment));

/** A .com for 12.99, whose renewal for 14.99 has its money on hold, and what it leaves. */
async function held(name: string, left: bigint) {
  set('2027-01-15T12:00:00Z');
  const who = await domains.customer(1_299n + 1_499n + left);
  const sent = { token: who.secret };
  const id = await domains.register(who, name, { auto_renew: true });
  const balance = async () => {
    const { reserved, forecast } = await data('account/balance', {}, sent);
    return { reserved, ...forecast };
  };
  const expiring = async () => {
    const shown = await data('account/dashboard', {}, sent);
    return shown.expiring.map((one: { renewal_gross: number | null; covered: boolean }) => [
      one.renewal_gross,
      one.covered,
    ]);
  };
  return { who, sent, id, balance, expiring };
}

test('a renewal whose money is on hold is not forecast again, and is covered, until its registry has done it', async () => {
  const { id, balance, expiring } = await held('held-year.com', 300n);
  set('2028-01-13T12:00:00Z');
  const before = { reserved: 0, next_30_days: 14.99, covered_until: null, first_uncovered: null };
  assert.deepEqual(await balance(), before);
  assert.deepEqual(await expiring(), [[14.99, true]]);
  set('2028-01-15T06:00:00Z');
  await run(serviceLifecycle);
  const free = { next_30_days: 0, covered_until: null, first_uncovered: null };
  assert.deepEqual(await balance(), { reserved: 14.99, ...free });
  assert.deepEqual(await expiring(), [[14.99, true]], 'what it has on hold is what it needs');
  await work();
  assert.equal((await domains.domain(id)).expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.deepEqual(await balance(), { reserved: 0, ...free });
});

test('what a held renewal leaves of a discount is what the terms after it are forecast with', async () => {
  const { who, id, balance } = await held('held-discount.com', 10_00n);
  // For the renewal that comes, and not for those after it.
  await pool.pg.query(
    "UPDATE services SET discount_code = 'HALF', discount_percent = 5000, discount_left = 1 WHERE id = $1",
    [id],
  );
  await domains.order(who, { action: 'renew', domain: 'held-discount.com' });
  set('2029-01-01T12:00:00Z');
  assert.deepEqual(await balance(), {
    reserved: 7.5,
    next_30_days: 14.99,
    covered_until: null,
    first_uncovered: null,
  });
});

test('nobody is told that an ordinary renewal comes because money on hold for another was counted twice', async () => {
  const { who, sent } = await held('held-mail.com', 399n + 399n);
  set('2027-12-20T12:00:00Z');
  const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true, auto_renew: true };
  const { license_uuid: license } = await data('panel/order', order, sent);
  set('2028-01-15T06:00:00Z');
  await run(serviceLifecycle);
  const { available } = await data('account/balance', {}, sent);
  assert.equal(available, 3.99, 'what the license needs');
  const mails = (await domains.mails(who, 'service.expiring')).length;
  set('2028-01-17T12:00:00Z');
  await run(serviceLifecycle);
  const { rows } = await pool.pg.query('SELECT kind FROM service_notices WHERE service_id = $1', [license]);
  assert.deepEqual(rows, [{ kind: 'expiring:3' }]);
  assert.equal((await domains.mails(who, 'service.expiring')).length, mails);
  await work();
});
