// Slow: 4 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import type { Customer } from '../../../../test/fixture.ts';
import { transaction } from '../../../db/transaction.ts';
import { adjustBalance } from '../../core/accounts/adjust.ts';
import restore from './restore.job.ts';

const domains = await openDomains();
const { clock, pool, ports, requests } = domains;
const at = (text: string) => Temporal.Instant.from(text);
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });
const sentBy = (who: Customer) => ({ token: who.secret });
const RESTORATION = 8_900n;
const RENEWAL = 1_499n;

async function pay({ accountId }: Customer, amount: bigint): Promise<void> {
  await transaction(pool, (tx) => adjustBalance(tx, accountId, { amount, reason: 'test' }, clock.now()));
}

/** Nobody paid for it: kept for its redemption, its term over. Its customer has 200.00 EUR then. */
async function unpaid(domain: string): Promise<{ who: Customer; id: string }> {
  clock.set(at('2027-01-15T12:00:00Z'));
  const who = await domains.customer(1_299n);
  const id = await domains.register(who, domain);
  await domains.travel(at('2028-02-27T12:00:00Z'), { hours: 240 });
  assert.equal((await domains.domain(id)).state, 'redemption');
  await pay(who, 20_000n);
  return { who, id };
}

/** Cancelled within its term, which is paid until 2028-01-15; kept for its redemption. */
async function cancelled(domain: string): Promise<{ who: Customer; id: string }> {
  clock.set(at('2027-01-15T12:00:00Z'));
  const who = await domains.customer(20_000n);
  const id = await domains.register(who, domain);
  clock.set(at('2027-02-15T12:00:00Z'));
  await requests.data('domain/cancel', { domain, mode: 'immediate', confirm: domain }, sentBy(who));
  await domains.work();
  const { delete_at: deleteAt } = await domains.domain(id);
  assert.ok(deleteAt !== null);
  await domains.travel(deleteAt, { hours: 240 });
  assert.equal((await domains.domain(id)).state, 'redemption');
  return { who, id };
}

test('a restoration that is not renewed is paid all the same, its years are paid back, and it can be renewed', async () => {
  const { who, id } = await unpaid('not-renewed.com');
  const ordered = await domains.order(who, { action: 'restore', domain: 'not-renewed.com', period: 2 });
  await domains.fault('renew', 'refuse');
  await domains.run(restore, { order_id: ordered.order_id });
  assert.equal(await domains.balanceOf(who), 20_000n - RESTORATION);
  const row = await domains.domain(id);
  assert.deepEqual([row.state, row.service_state], ['active', 'expired']);
  const { rows } = await pool.pg.query('SELECT gross, basis FROM refunds WHERE order_id = $1', [
    ordered.order_id,
  ]);
  assert.deepEqual(rows, [{ gross: 2n * RENEWAL, basis: 'undelivered' }]);
  assert.equal((await domains.mails(who, 'domain.renewal-failed')).length, 1);
  await domains.work();
  clock.set(clock.now().add({ hours: 6 * 24 }));
  await domains.live();
  await domains.order(who, { action: 'renew', domain: 'not-renewed.com' });
  await domains.work();
  const renewed = await domains.domain(id);
  assert.deepEqual([renewed.state, renewed.service_state], ['active', 'active']);
  assert.equal(await domains.balanceOf(who), 20_000n - RESTORATION - RENEWAL);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('of a term that is paid for a restoration brings the rest, and costs nothing but itself', async () => {
  const { who, id } = await cancelled('within-term.com');
  const before = await domains.balanceOf(who);
  const ordered = await domains.order(who, { action: 'restore', domain: 'within-term.com', period: 2 });
  assert.deepEqual([ordered.period, ordered.expire_at], [0, '2028-01-15 12:00:00']);
  await domains.work();
  const row = await domains.domain(id);
  assert.deepEqual([row.state, row.service_state, row.delete_at], ['active', 'active', null]);
  assert.equal(row.expire_at.toString(), '2028-01-15T12:00:00Z');
  assert.equal(
    (await ports.registry.info(ref('within-term.com')))?.expireAt?.toString(),
    '2028-01-15T12:00:00Z',
  );
  assert.equal(await domains.balanceOf(who), before - RESTORATION);
  assert.deepEqual(await domains.charges('within-term.com'), ['create', 'restore']);
  // And then it goes on as it would have.
  await domains.travel(at('2028-01-20T12:00:00Z'), { hours: 240 });
  assert.equal((await domains.domain(id)).expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.equal(await domains.balanceOf(who), before - RESTORATION - RENEWAL);
  assert.deepEqual(await domains.booksProblems(), []);
});
