// Slow: 5 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../test/domains.ts';
import { transaction } from '../../db/transaction.ts';
import { Rival } from '../../drivers/registry/sandbox/rival.ts';
import { adjustBalance } from '../core/accounts/adjust.ts';
import converge from './convergence/converge.job.ts';
import poll from './convergence/poll.job.ts';
import renew from './renewal/renew.job.ts';
import restore from './renewal/restore.job.ts';
import transfer from './transfer/transfer.job.ts';

const domains = await openDomains();
const { clock, pool, ports, rival, sandbox } = domains;
const at = (text: string) => Temporal.Instant.from(text);
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });
const LOST = ['timeout_before', 'timeout_after', 'repeat'] as const;

type Customer = Awaited<ReturnType<typeof domains.customer>>;

async function pay({ accountId }: Customer, amount: bigint): Promise<void> {
  await transaction(pool, (tx) => adjustBalance(tx, accountId, { amount, reason: 'test' }, clock.now()));
}

/** A domain that nobody paid for and its registry keeps for its redemption. */
async function redeemable(domain: string): Promise<{ customer: Customer; id: string }> {
  clock.set(at('2027-01-15T12:00:00Z'));
  const customer = await domains.customer(1_299n);
  const id = await domains.register(customer, domain);
  await domains.travel(at('2028-02-27T12:00:00Z'), { hours: 240 });
  assert.equal((await domains.domain(id)).state, 'redemption');
  await pay(customer, 20_000n);
  return { customer, id };
}

for (const fault of LOST) {
  test(`a renewal whose command meets ${fault} is made once, and paid once`, async () => {
    clock.set(at('2027-01-15T12:00:00Z'));
    const name = `renewed-${fault.replaceAll('_', '-')}.com`;
    const customer = await domains.customer(10_000n);
    const id = await domains.register(customer, name);
    const ordered = await domains.order(customer, { action: 'renew', domain: name });
    await domains.fault('renew', fault);
    const payload = { order_id: ordered.order_id };
    await domains.run(renew, payload).catch(() => {});
    await domains.run(renew, payload);
    await domains.run(renew, payload);
    assert.deepEqual(await domains.charges(name), ['create', 'renew']);
    assert.equal((await domains.domain(id)).registry_expire_at?.toString(), '2029-01-15T12:00:00Z');
    assert.equal(await domains.balanceOf(customer), 10_000n - 1_299n - 1_499n);
    await domains.work();
    assert.deepEqual(await domains.booksProblems(), []);
  });

  for (const command of ['restore', 'report']) {
    test(`a restoration whose ${command} meets ${fault} is made once, and paid once`, async () => {
      const name = `restored-${command}-${fault.replaceAll('_', '-')}.com`;
      const { customer, id } = await redeemable(name);
      const ordered = await domains.order(customer, { action: 'restore', domain: name });
      await domains.fault(command, fault);
      const payload = { order_id: ordered.order_id };
      for (let run = 0; run < 3; run += 1) await domains.run(restore, payload).catch(() => {});
      assert.equal((await domains.domain(id)).state, 'active');
      const restored = (await domains.charges(name)).filter((kind) => kind === 'restore');
      assert.deepEqual(restored, ['restore']);
      assert.equal(await domains.balanceOf(customer), 20_000n - 10_399n);
      await domains.work();
      assert.deepEqual(await domains.booksProblems(), []);
    });
  }

  test(`a deletion whose command meets ${fault} deletes once, and the books know of it`, async () => {
    clock.set(at('2027-01-15T12:00:00Z'));
    const name = `deleted-${fault.replaceAll('_', '-')}.com`;
    const customer = await domains.customer(5_000n);
    const id = await domains.register(customer, name);
    clock.set(at('2027-02-15T12:00:00Z'));
    const cancel = { domain: name, mode: 'immediate', confirm: name };
    await domains.requests.data('domain/cancel', cancel, { token: customer.secret });
    await domains.work();
    const { delete_at: deleteAt } = await domains.domain(id);
    assert.ok(deleteAt !== null);
    clock.set(deleteAt);
    await domains.fault('delete', fault);
    for (let run = 0; run < 3; run += 1) await domains.run(converge, { domain_id: id }).catch(() => {});
    assert.equal((await domains.domain(id)).state, 'redemption');
    assert.ok((await ports.registry.info(ref(name)))?.statuses.includes('redemptionPeriod'));
    assert.equal((await domains.mails(customer, 'domain.redemption')).length, 1);
  });
}

test('a message that was read and could not be acknowledged is read again, and acted on once', async () => {
  clock.set(at('2027-01-15T12:00:00Z'));
  const customer = await domains.customer(1_299n);
  const id = await domains.register(customer, 'tells-twice.com');
  clock.set(at('2028-01-16T12:00:00Z'));
  await domains.fault('acknowledge', 'timeout_before');
  await domains.run(poll);
  await domains.fault('acknowledge', 'timeout_after');
  await domains.run(poll);
  await domains.fault('poll', 'timeout_before');
  await domains.run(poll);
  await domains.run(poll);
  await domains.work();
  const { rows } = await pool.pg.query('SELECT id FROM registry_messages WHERE domain = $1', [
    'tells-twice.com',
  ]);
  assert.equal(rows.length, 1);
  assert.equal(await ports.registry.nextMessage('sandbox'), null);
  assert.equal((await domains.domain(id)).registry_expire_at?.toString(), '2029-01-15T12:00:00Z');
});

test('a worker that dies between a registry’s yes and its commit renews nothing twice', async () => {
  clock.set(at('2027-01-15T12:00:00Z'));
  const name = 'dies-between.com';
  const customer = await domains.customer(10_000n);
  await domains.register(customer, name);
  const ordered = await domains.order(customer, { action: 'renew', domain: name });
  const payload = { order_id: ordered.order_id };
  // As the crash leaves it: the registry has renewed, and no transaction of ours tells of it.
  const believedExpireAt = at('2028-01-15T12:00:00Z');
  const done = await ports.registry.renew({ ...ref(name), years: 1, believedExpireAt, fee: null });
  assert.equal(done.kind, 'done');
  await domains.run(renew, payload);
  assert.deepEqual(await domains.charges(name), ['create', 'renew']);
  assert.equal(await domains.balanceOf(customer), 10_000n - 1_299n - 1_499n);
});

test('a transfer that is cancelled while it is pending is taken back at its registry, also if that answer is lost', async () => {
  clock.set(at('2027-01-15T12:00:00Z'));
  const name = 'not-after-all.com';
  const made = await new Rival({ db: sandbox, clock }).register(name);
  assert.ok(made.ok);
  const customer = await domains.customer(5_000n);
  const ordered = await domains.order(customer, { action: 'transfer', domain: name, authcode: made.data });
  await domains.run(transfer, { order_id: ordered.order_id });
  assert.equal((await rival.transfer(ref(name)))?.status, 'pending');
  await domains.fault('cancel_transfer', 'timeout_after');
  const cancel = { uuid: ordered.domain_uuid, mode: 'immediate', confirm: name };
  await domains.requests.data('domain/cancel', cancel, { token: customer.secret });
  for (let run = 0; run < 3; run += 1)
    await domains.run(converge, { domain_id: ordered.domain_uuid }).catch(() => {});
  assert.equal((await rival.transfer(ref(name)))?.status, 'cancelled');
  assert.equal(await domains.balanceOf(customer), 5_000n);
  await domains.travel(at('2027-01-25T12:00:00Z'));
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'deleted');
  assert.equal((await ports.registry.info(ref(name)))?.sponsoredHere, false);
  assert.deepEqual(await domains.booksProblems(), []);
});
