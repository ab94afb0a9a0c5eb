// Slow: 25 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import { transaction } from '../../../db/transaction.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { adjustBalance } from '../../core/accounts/adjust.ts';
import { lockService, suspend, unsuspend } from '../../selling/subscriptions/suspension.ts';

const domains = await openDomains();
const { clock, ports, pool } = domains;
const at = (text: string) => Temporal.Instant.from(text);
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });

async function beginAt(text: string): Promise<void> {
  clock.set(at(text));
}

test('before its end a domain renews itself, is announced twice, and is paid once', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  const customer = await domains.customer(10_000n);
  const id = await domains.register(customer, 'renews-itself.com');
  await domains.travel(at('2028-01-16T12:00:00Z'));
  const row = await domains.domain(id);
  assert.equal(row.expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.equal(row.registry_expire_at?.toString(), '2029-01-15T12:00:00Z');
  assert.deepEqual(await domains.events(customer), [
    'domain.registered',
    'domain.expiring',
    'domain.expiring',
    'domain.renewed',
  ]);
  assert.deepEqual(await domains.charges('renews-itself.com'), ['create', 'renew']);
  assert.equal(await domains.balanceOf(customer), 10_000n - 1_299n - 1_499n);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('paid for only after its registry has renewed it by itself, it is not renewed there again', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  const customer = await domains.customer(1_299n);
  const id = await domains.register(customer, 'paid-late.com');
  await domains.travel(at('2028-01-15T12:00:00Z'));
  const ended = await domains.domain(id);
  assert.equal(ended.service_state, 'active', 'at the instant of its end it is on');
  assert.equal(ended.expire_at.toString(), '2028-01-15T12:00:00Z');
  await domains.travel(at('2028-01-17T12:00:00Z'));
  const autorenewed = await ports.registry.info(ref('paid-late.com'));
  assert.equal(autorenewed?.expireAt?.toString(), '2029-01-15T12:00:00Z');
  await transaction(pool, (tx) =>
    adjustBalance(tx, customer.accountId, { amount: 2_000n, reason: 'test' }, clock.now()),
  );
  await domains.travel(at('2028-01-18T12:00:00Z'), { hours: 6 });
  const row = await domains.domain(id);
  assert.equal(row.expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.deepEqual(await domains.charges('paid-late.com'), ['create', 'autorenew']);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('unpaid, it is held, deleted before its registry charges for good, redeemable, and gone in the end', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  const customer = await domains.customer(1_299n);
  const id = await domains.register(customer, 'never-paid.com');
  await domains.travel(at('2028-01-18T12:00:00Z'));
  const held = await domains.domain(id);
  assert.equal(held.service_state, 'suspended');
  assert.ok(held.statuses.includes('clientHold'), held.statuses.join());
  assert.equal((await domains.mails(customer, 'service.switched-off')).length, 1, 'told within five days');
  const deleteAt = held.delete_at;
  assert.ok(deleteAt !== null && Temporal.Instant.compare(deleteAt, at('2028-02-24T12:00:00Z')) <= 0);
  await domains.travel(deleteAt.add({ hours: 2 }), { hours: 12 });
  const redeemable = await domains.domain(id);
  assert.equal(redeemable.state, 'redemption');
  assert.equal(redeemable.service_state, 'expired');
  assert.deepEqual(await domains.charges('never-paid.com'), ['create', 'autorenew', 'refund']);
  assert.equal((await domains.mails(customer, 'domain.redemption')).length, 1);
  await domains.travel(deleteAt.add({ hours: 24 * 37 }), { hours: 12 });
  const gone = await domains.domain(id);
  assert.equal(gone.state, 'deleted');
  assert.equal(gone.service_state, 'deleted');
  assert.equal(await ports.registry.info(ref('never-paid.com')), null);
  assert.deepEqual((await domains.events(customer)).slice(-3), [
    'domain.expired',
    'domain.redemption',
    'domain.deleted',
  ]);
  const other = await domains.customer(10_000n);
  await domains.register(other, 'never-paid.com');
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a deleted domain is restored with a further year, and everything is as before', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  const customer = await domains.customer(1_299n);
  const id = await domains.register(customer, 'brought-back.com');
  await domains.travel(at('2028-02-27T12:00:00Z'));
  assert.equal((await domains.domain(id)).state, 'redemption');
  await transaction(pool, (tx) =>
    adjustBalance(tx, customer.accountId, { amount: 20_000n, reason: 'test' }, clock.now()),
  );
  await domains.requests.refused(
    'state_conflict',
    'domain/order',
    { action: 'renew', domain: 'brought-back.com', tos: true, cancellation: true },
    { token: customer.secret },
  );
  const restored = await domains.order(customer, { action: 'restore', domain: 'brought-back.com' });
  assert.equal(restored.charged.gross, 103.99);
  await domains.work();
  const row = await domains.domain(id);
  assert.equal(row.state, 'active');
  assert.equal(row.service_state, 'active');
  assert.equal(row.expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.equal(row.delete_at, null);
  const found = await ports.registry.info(ref('brought-back.com'));
  assert.equal(found?.expireAt?.toString(), '2029-01-15T12:00:00Z');
  assert.equal(found?.statuses.includes('clientHold'), false, found?.statuses.join());
  assert.equal(await domains.balanceOf(customer), 20_000n - 10_399n);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('cancelled to the end of its term it is held then, and given back before its registry charges for good', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  const customer = await domains.customer(10_000n);
  const id = await domains.register(customer, 'cancelled.com');
  await domains.requests.data(
    'domain/cancel',
    { domain: 'cancelled.com', confirm: 'cancelled.com' },
    { token: customer.secret },
  );
  await domains.travel(at('2028-01-15T12:00:00Z'));
  const ended = await domains.domain(id);
  assert.equal(ended.service_state, 'cancelled');
  assert.ok(ended.statuses.includes('clientHold'));
  await domains.travel(at('2028-02-16T12:00:00Z'));
  assert.equal((await domains.domain(id)).state, 'redemption');
  assert.deepEqual(await domains.charges('cancelled.com'), ['create', 'autorenew', 'refund']);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a suspended domain is not reachable, and is again when the reason is lifted', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  const customer = await domains.customer(10_000n);
  const id = await domains.register(customer, 'abusive.com');
  const change = (on: boolean) =>
    inUnitOfWork(pool, clock.now(), [customer.accountId], async (tx, uow) => {
      const service = await lockService(tx, uow, id);
      assert.ok(service !== null);
      if (on) await suspend(tx, uow, service, { reason: 'abuse', note: '' });
      else await unsuspend(tx, uow, service, 'abuse');
    });
  await change(true);
  await domains.work();
  const held = await ports.registry.info(ref('abusive.com'));
  assert.ok(held?.statuses.includes('clientHold'));
  await change(false);
  await domains.work();
  const free = await ports.registry.info(ref('abusive.com'));
  assert.equal(free?.statuses.includes('clientHold'), false);
});

test('a registration without an end is renewed in our books alone, and given back before it would begin another', async () => {
  await beginAt('2027-01-15T12:00:00Z');
  await domains.importServers((document) => {
    const de = document.tlds.find(({ tld }) => tld === 'de');
    assert.ok(de !== undefined);
    Object.assign(de, {
      periods: [1],
      policy: { ...de.policy, delete_deadline_days: -1, transfer_lock_days: 0 },
    });
  });
  const renewing = await domains.customer(10_000n);
  const leaving = await domains.customer(10_000n);
  const kept = await domains.register(renewing, 'bleibt.de');
  const left = await domains.register(leaving, 'geht.de', { auto_renew: false });
  await domains.travel(at('2028-01-13T12:00:00Z'), { hours: 48 });
  assert.equal((await domains.domain(kept)).expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.deepEqual(await domains.charges('bleibt.de'), ['create']);
  assert.equal((await domains.domain(left)).state, 'active');
  await domains.travel(at('2028-01-14T14:00:00Z'), { hours: 13 });
  assert.equal((await domains.domain(left)).state, 'redemption', 'a day before the end of its term');
  assert.deepEqual(await domains.booksProblems(), []);
});
