import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { OWNER, openDomains } from '../../../test/domains.ts';
import type { Customer } from '../../../test/fixture.ts';
import { openStuckWork } from '../../../test/stuck-work.ts';
import { adjustBalance } from '../../business/core/accounts/adjust.ts';
import register from '../../business/domains/registration/register.job.ts';
import { transaction } from '../../db/transaction.ts';
import { SandboxDelegation } from '../../drivers/dns/delegation/sandbox.ts';

const domains = await openDomains();
const { clock, pool, ports, rival } = domains;
const { requests, staff, cancel, isOver, taskOf, accepted, accountOf, orderState, differences } =
  await openStuckWork(domains, { ...ports, delegation: new SandboxDelegation() });
const at = (text: string) => Temporal.Instant.from(text);
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });
const MANY = 1000;

beforeEach(async () => {
  await healed();
  clock.set(at('2027-01-15T12:00:00Z'));
});

/** The registry answers again. */
async function healed(): Promise<void> {
  await pool.pg.query('DELETE FROM sandbox.registry_faults');
}

const broken = (command: string, fault = 'timeout_before') => domains.fault(command, fault, MANY);

interface Stuck {
  readonly who: Customer;
  readonly orderId: string;
  readonly taskId: string;
}

/** The task says in both languages what it waits for. */
async function saysWhy({ who, taskId }: Stuck): Promise<void> {
  const { state, error } = await taskOf(who, taskId);
  assert.deepEqual([state, error.error], ['running', 'backend_unavailable']);
  assert.match(error.message, /The registry did not answer/);
  assert.match((await taskOf(who, taskId, 'de')).error.message, /registry hat nicht geantwortet/);
}

/** Cancelled while the registry is silent: the money is free, the customer has been told, and once is enough. */
async function isEnded({ who, orderId, taskId }: Stuck, balance: bigint): Promise<void> {
  const { work } = await cancel(taskId);
  assert.deepEqual([work[0].back_end, work[0].outcome, work[0].order_id], ['silent', 'cancelled', orderId]);
  assert.deepEqual(await accountOf(who), { reserved: 0n, balance });
  assert.equal(await orderState(orderId), 'failed');
  const { state, error } = await taskOf(who, taskId);
  assert.deepEqual([state, error.error], ['cancelled', 'abandoned']);
  const events = await domains.events(who, '');
  assert.ok(events.includes('order.failed'), String(events));
  await isOver(taskId);
  await healed();
  await domains.work();
  assert.deepEqual(await accountOf(who), { reserved: 0n, balance });
  assert.deepEqual(await domains.booksProblems(), []);
}

async function registering(domain: string, fault?: string): Promise<Stuck & { readonly id: string }> {
  const who = await domains.customer(5_000n);
  await broken('create', fault);
  const { order_id: orderId, domain_uuid: id, task } = await domains.order(who, { domain });
  await domains.work();
  return { who, orderId, taskId: task.uuid, id };
}

test('a registration whose registry never answers', async () => {
  const stuck = await registering('silent.com');
  await broken('info');
  await saysWhy(stuck);
  await isEnded(stuck, 5_000n);
  assert.deepEqual(await differences('silent.com'), ['domain_unknown'], 'looked for when it answers');
  assert.equal((await domains.domain(stuck.id)).state, 'failed');
  // The name is free for others.
  const next = await domains.customer(5_000n);
  await domains.register(next, 'silent.com');
  assert.equal((await ports.registry.info(ref('silent.com')))?.sponsoredHere, true);
});

test('a registration that came about is delivered; with `anyway` it is left for an operator', async () => {
  const there = await registering('there.com', 'timeout_after');
  assert.deepEqual((await cancel(there.taskId)).work[0].outcome, 'continued');
  await healed();
  await domains.work();
  assert.equal(await orderState(there.orderId), 'completed');

  const left = await registering('left.com', 'timeout_after');
  assert.deepEqual((await cancel(left.taskId, { anyway: true })).work[0].outcome, 'cancelled');
  await healed();
  await domains.work();
  assert.deepEqual(await accountOf(left.who), { reserved: 0n, balance: 5_000n });
  assert.deepEqual(await differences('left.com'), ['domain_unknown']);
  assert.equal((await ports.registry.info(ref('left.com')))?.sponsoredHere, true, 'nothing is deleted');
});

test('a command that ends after the registration was given up leaves the domain as an orphan', async () => {
  const { who, orderId, taskId } = await registering('late.com');
  await healed();
  const { registry } = ports;
  const late = Object.assign(Object.create(registry) as typeof registry, {
    async register(wanted: Parameters<typeof registry.register>[0]) {
      await cancel(taskId);
      return await registry.register(wanted);
    },
  });
  await domains.run(register, { order_id: orderId }, { ports: { ...ports, registry: late } });
  assert.equal(await orderState(orderId), 'failed');
  assert.deepEqual(await accountOf(who), { reserved: 0n, balance: 5_000n });
  assert.deepEqual(await differences('late.com'), ['domain_unknown']);
});

test('a renewal', async () => {
  const who = await domains.customer(10_000n);
  await domains.register(who, 'renewed.com');
  const { balance } = await accountOf(who);
  await broken('renew');
  const { order_id: orderId, task } = await domains.order(who, { action: 'renew', domain: 'renewed.com' });
  await domains.work();
  const stuck = { who, orderId, taskId: task.uuid };
  await saysWhy(stuck);
  await broken('info');
  await isEnded(stuck, balance);
  assert.equal((await domains.mails(who, 'domain.renewal-failed')).length, 1);
});

test('a renewal that the registry has not made is cancelled without suspicion, and one that it has made is delivered', async () => {
  const who = await domains.customer(10_000n);
  await domains.register(who, 'asked.com');
  for (const [fault, expected] of [
    ['timeout_before', ['absent', 'cancelled']],
    ['timeout_after', ['there', 'continued']],
  ] as const) {
    await broken('renew', fault);
    const { order_id: orderId } = await domains.order(who, { action: 'renew', domain: 'asked.com' });
    await domains.work();
    const { work } = await cancel(orderId);
    assert.deepEqual([work[0].back_end, work[0].outcome], expected);
    await healed();
    await domains.work();
  }
  assert.deepEqual(await differences('asked.com'), []);
  assert.equal(await domains.balanceOf(who), 10_000n - 1_299n - 1_499n);
});

test('a restoration', async () => {
  const who = await domains.customer(1_299n);
  await domains.register(who, 'restored.com');
  await domains.travel(at('2028-02-27T12:00:00Z'), { hours: 240 });
  await transaction(pool, (tx) =>
    adjustBalance(tx, who.accountId, { amount: 20_000n, reason: 'test' }, clock.now()),
  );
  await broken('restore');
  const { order_id: orderId, task } = await domains.order(who, { action: 'restore', domain: 'restored.com' });
  await domains.work();
  const stuck = { who, orderId, taskId: task.uuid };
  await saysWhy(stuck);
  await broken('info');
  await isEnded(stuck, 20_000n);
});

test('a transfer', async () => {
  const outcome = await rival.register({
    ...ref('moves.com'),
    registrant: RIVAL,
    admin: null,
    tech: null,
    billing: null,
    years: 1,
    nameservers: [
      { hostname: 'ns1.rival.example', ipv4: [], ipv6: [] },
      { hostname: 'ns2.rival.example', ipv4: [], ipv6: [] },
    ],
    ds: [],
    authcode: 'Rival-Code-123',
    fee: null,
    since: clock.now(),
  });
  assert.equal(outcome.kind, 'done');
  clock.set(clock.now().add({ hours: 24 * 61 }));
  await rival.update({ ...ref('moves.com'), authcode: 'Rival-Code-123' });
  const who = await domains.customer(5_000n);
  await broken('request_transfer');
  const { order_id: orderId, task } = await domains.order(who, {
    action: 'transfer',
    domain: 'moves.com',
    authcode: 'Rival-Code-123',
  });
  await domains.work();
  const stuck = { who, orderId, taskId: task.uuid };
  await saysWhy(stuck);
  await broken('info');
  await isEnded(stuck, 5_000n);
});

test('a change of name servers: the books are as before it, and the registry is brought back to them', async () => {
  const who = await domains.customer(5_000n);
  const id = await domains.register(who, 'changed.com');
  const before = (await domains.domain(id)) as unknown as { nameservers: unknown };
  await broken('update');
  const nameservers = ['ns1.elsewhere.example', 'ns2.elsewhere.example'].map((hostname) => ({ hostname }));
  const { task } = await accepted(
    'domain/nameservers',
    { domain: 'changed.com', nameservers, ignore_warnings: true },
    who,
  );
  await domains.work();
  assert.equal((await taskOf(who, task.uuid)).error.error, 'backend_unavailable');
  await requests.refused('state_conflict', 'staff/task-cancel', { uuid: task.uuid }, { token: staff });
  await broken('info');
  assert.equal((await cancel(task.uuid)).work[0].outcome, 'cancelled');
  await healed();
  await domains.work();
  const after = (await domains.domain(id)) as unknown as { nameservers: unknown };
  assert.deepEqual(after.nameservers, before.nameservers);
  assert.equal((await taskOf(who, task.uuid)).error.error, 'abandoned');
});

test('an order of several: what is open of it is cancelled, what was delivered stays', async () => {
  const who = await domains.customer(10_000n);
  await pool.pg.query(
    "INSERT INTO sandbox.registry_faults (command, fault, remaining, domain) VALUES ('create', 'timeout_before', 1000, 'two.com')",
  );
  const { task } = await accepted(
    'domain/order-many',
    {
      contacts: { owner: OWNER },
      tos: true,
      cancellation: true,
      names: [{ domain: 'one.com' }, { domain: 'two.com' }],
    },
    who,
  );
  await domains.work();
  const { work } = await cancel(task.uuid);
  assert.deepEqual(
    work.map((one: { outcome: string; back_end: string }) => [one.outcome, one.back_end]),
    [['cancelled', 'absent']],
  );
  const { state, error } = await taskOf(who, task.uuid);
  assert.deepEqual([state, error.error], ['failed', 'order_incomplete']);
  assert.deepEqual(await accountOf(who), { reserved: 0n, balance: 10_000n - 1_299n });
});

const RIVAL = {
  handle: 'RIVAL-1',
  type: 'person' as const,
  name: 'A Rival',
  organisation: null,
  street: ['Other Street 1'],
  city: 'Berlin',
  region: null,
  zip: '10115',
  country: 'DE',
  phone: '+49.301234567',
  fax: null,
  email: 'rival@example.com',
  disclosed: false,
  extra: {},
};
