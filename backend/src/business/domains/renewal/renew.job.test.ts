import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import renew from './renew.job.ts';

const domains = await openDomains();

async function ordered(domain: string) {
  const customer = await domains.customer(50_000n);
  const id = await domains.register(customer, domain);
  const order = await domains.order(customer, { action: 'renew', domain });
  return { customer, id, order, payload: { order_id: order.order_id as string } };
}

test('a renewal is paid when the registry has done it', async () => {
  const { customer, id, order } = await ordered('further-year.com');
  assert.equal(order.state, 'PENDING');
  assert.equal((await domains.domain(id)).expire_at.toString(), '2028-01-15T12:00:00Z');
  await domains.work();
  const row = await domains.domain(id);
  assert.equal(row.expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.equal(row.registry_expire_at?.toString(), '2029-01-15T12:00:00Z');
  assert.equal(await domains.balanceOf(customer), 50_000n - 1_299n - 1_499n);
});

for (const fault of ['timeout_before', 'timeout_after', 'repeat']) {
  test(`after ${fault} it is renewed once and paid once, however often the job runs`, async () => {
    const name = `fault-${fault.replace('_', '-')}.com`;
    const { customer, id, payload } = await ordered(name);
    await domains.fault('renew', fault);
    await domains.run(renew, payload).catch(() => {});
    await domains.run(renew, payload);
    await domains.run(renew, payload);
    assert.deepEqual(await domains.charges(name), ['create', 'renew']);
    assert.equal((await domains.domain(id)).expire_at.toString(), '2029-01-15T12:00:00Z');
    assert.equal(await domains.balanceOf(customer), 50_000n - 1_299n - 1_499n);
    await domains.work();
    assert.deepEqual(await domains.booksProblems(), []);
  });
}

test('a registry that refuses gives the money back, and its customer is told', async () => {
  const { customer, id, payload } = await ordered('refused-year.com');
  await domains.fault('renew', 'refuse');
  await domains.run(renew, payload);
  assert.equal((await domains.domain(id)).expire_at.toString(), '2028-01-15T12:00:00Z');
  assert.equal(await domains.balanceOf(customer), 50_000n - 1_299n);
  assert.equal((await domains.mails(customer, 'domain.renewal-failed')).length, 1);
  assert.ok((await domains.events(customer)).includes('domain.renewal_failed'));
  await domains.work();
  assert.deepEqual(await domains.booksProblems(), []);
});

test('while one is under way no other is taken', async () => {
  const { customer } = await ordered('one-at-a-time.com');
  const again = { action: 'renew', domain: 'one-at-a-time.com', tos: true, cancellation: true };
  const refused = await domains.requests.refused('state_conflict', 'domain/order', again, {
    token: customer.secret,
  });
  assert.equal(refused.current_state, 'renewing');
});

test('a domain is not renewed beyond ten years', async () => {
  const customer = await domains.customer(500_000n);
  await domains.register(customer, 'ten-years.com', { period: 2 });
  for (let year = 4; year <= 10; year += 2) {
    await domains.order(customer, { action: 'renew', domain: 'ten-years.com', period: 2 });
    await domains.work();
  }
  const more = { action: 'renew', domain: 'ten-years.com', tos: true, cancellation: true };
  await domains.requests.refused('period_not_allowed', 'domain/order', more, { token: customer.secret });
});
