import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Customer } from '../../../test/fixture.ts';
import { openStuckWork } from '../../../test/stuck-work.ts';
import { openZones } from '../../../test/zones.ts';
import push from '../../business/domains/transfer/push.job.ts';
import named from '../../business/servers/network/named.job.ts';
import { SandboxDelegation } from '../../drivers/dns/delegation/sandbox.ts';
import { planDnsFault } from '../../drivers/dns/sandbox/fault.ts';

const ZONE = '18.198.in-addr.arpa';

const site = await openZones(({ hosts }) => {
  const name_template = 'static-{address}.fra1.example.net';
  Object.assign(hosts[0]?.networks.ipv4 ?? {}, { reverse_zone: ZONE, name_template });
});
const { pool, ports } = site;
const { requests, staff, cancel, isOver, taskOf, accepted, accountOf, orderState, differences, eventsOf } =
  await openStuckWork(site, { ...ports, delegation: new SandboxDelegation() });

beforeEach(healed);

/** Registry and name server answer again. */
async function healed(): Promise<void> {
  await pool.pg.query('DELETE FROM sandbox.registry_faults');
  await pool.pg.query('DELETE FROM sandbox.dns_faults');
}

const registryBroken = (command: string, fault = 'timeout_before') => site.fault(command, fault, 1000);

async function nameServersBroken(...commands: Parameters<typeof planDnsFault>[1]['command'][]) {
  for (const command of commands)
    await planDnsFault(site.sandbox, { command, fault: 'timeout_before', times: 1000 });
}

/** A domain that is old enough to go to another registrar. */
async function transferable(who: Customer, domain: string): Promise<string> {
  const id = await site.register(who, domain);
  site.clock.set(site.clock.now().add({ hours: 24 * 61 }));
  return id;
}

/** The task is over: it says so to its customer, who is notified once, and to an operator who tries again. */
async function isEnded(who: Customer, taskId: string): Promise<void> {
  const { state, error } = await taskOf(who, taskId);
  assert.deepEqual([state, error.error], ['cancelled', 'abandoned']);
  assert.equal((await eventsOf(who)).filter((type) => type === 'task.cancelled').length, 1);
  await isOver(taskId);
  await requests.refused('not_found', 'staff/task-retry', { uuid: taskId }, { token: staff });
}

test('an authorisation code that the registry never hears of: it is over, and the next one is another', async () => {
  const who = await site.customer(5_000n);
  await transferable(who, 'coded.com');
  await registryBroken('update');
  const { task, authcode } = await accepted('domain/authcode', { domain: 'coded.com', unlock: true }, who);
  await site.work();
  assert.equal((await taskOf(who, task.uuid)).error.error, 'backend_unavailable');
  await requests.refused('state_conflict', 'staff/task-cancel', { uuid: task.uuid }, { token: staff });
  await registryBroken('info');
  const { work } = await cancel(task.uuid);
  assert.deepEqual(
    [work[0].type, work[0].back_end, work[0].outcome],
    ['domain.authcode', 'silent', 'cancelled'],
  );
  await isEnded(who, task.uuid);
  await healed();
  await site.work();
  assert.equal((await taskOf(who, task.uuid)).state, 'cancelled');
  const next = await accepted('domain/authcode', { domain: 'coded.com', unlock: true }, who);
  assert.notEqual(next.authcode, authcode);
  await site.work();
  assert.equal((await taskOf(who, next.task.uuid)).state, 'succeeded');
});

test('records that the name server does not take: the books keep them, and it has them when it answers', async () => {
  const who = await site.customer(5_000n);
  await site.zone(who, 'silent-dns.com');
  await nameServersBroken('ensure_rrsets', 'ensure_zone');
  const www = { action: 'create', name: 'www', type: 'A', content: '192.0.2.1' };
  const { task } = await site.update(who, 'silent-dns.com', { changes: [www] });
  await site.work();
  const { state, error } = await taskOf(who, task.uuid);
  assert.equal(error.error, 'backend_unavailable', state);
  assert.match(error.message, /The name server did not answer/);
  assert.match((await taskOf(who, task.uuid, 'de')).error.message, /name server hat nicht geantwortet/);
  await requests.refused('state_conflict', 'staff/task-cancel', { uuid: task.uuid }, { token: staff });
  await nameServersBroken('zone');
  const { work } = await cancel(task.uuid);
  assert.deepEqual([work[0].back_end, work[0].outcome], ['silent', 'cancelled']);
  await isEnded(who, task.uuid);
  await healed();
  await site.update(who, 'silent-dns.com', { changes: [{ ...www, name: 'mail' }] });
  await site.work();
  assert.deepEqual(await site.served('silent-dns.com'), [
    'mail.silent-dns.com A 192.0.2.1',
    'www.silent-dns.com A 192.0.2.1',
  ]);
  assert.equal((await taskOf(who, task.uuid)).state, 'cancelled');
});

test('a reverse name that the name server does not take: its task ends, and no other is held up', async () => {
  const who = await site.customer(100_000n);
  const { server_uuid: uuid } = await site.orderServer(who);
  await site.work();
  const { ipv4 } = await requests.data('server/ipaddresses', { uuid }, { token: who.secret });
  const named_ = (rdns: string) =>
    accepted('server/ptr', { uuid, ip_address: ipv4[0].ip_address, rdns }, who);
  await nameServersBroken('ensure_rrsets', 'ensure_zone');
  const { task } = await named_('one.customer.example');
  await site.work();
  assert.match((await taskOf(who, task.uuid)).error.message, /The name server did not answer/);
  await requests.refused('state_conflict', 'staff/task-cancel', { uuid: task.uuid }, { token: staff });
  await nameServersBroken('zone');
  const { work } = await cancel(task.uuid);
  assert.deepEqual(
    [work[0].type, work[0].resource, work[0].outcome],
    ['server.ptr', { type: 'server', uuid }, 'cancelled'],
  );
  await isEnded(who, task.uuid);
  await healed();
  const next = await named_('two.customer.example');
  await site.work();
  await site.run(named);
  assert.equal((await taskOf(who, next.task.uuid)).state, 'succeeded');
  assert.equal((await taskOf(who, task.uuid)).state, 'cancelled');
});

test('a transfer between two customers whose owner does not answer: it is over, and the domain stays where it is', async () => {
  const owner = await site.customer(10_000n);
  const id = await transferable(owner, 'pushed.com');
  const { authcode } = await accepted('domain/authcode', { domain: 'pushed.com', unlock: true }, owner);
  await site.work();
  const winner = await site.customer(5_000n);
  const asking = () => site.order(winner, { action: 'transfer', domain: 'pushed.com', authcode });
  const { order_id: orderId, task } = await asking();
  await site.work();
  const { work } = await cancel(task.uuid);
  assert.deepEqual(
    [work[0].type, work[0].back_end, work[0].outcome, work[0].order_id],
    ['domain.push', 'absent', 'cancelled', orderId],
  );
  await isEnded(winner, task.uuid);
  assert.equal(await orderState(orderId), 'failed');
  assert.deepEqual(await accountOf(winner), { reserved: 0n, balance: 5_000n });
  // An answer that comes too late moves nothing.
  await requests.refused(
    'state_conflict',
    'domain/transfer-answer',
    { domain: 'pushed.com', answer: 'approve' },
    { token: owner.secret },
  );
  await site.run(push, { order_id: orderId });
  assert.equal((await site.domain(id)).state, 'active');
  assert.deepEqual(await differences('pushed.com'), []);
  // It can be asked for again.
  const again = await asking();
  await site.work();
  await requests.data(
    'domain/transfer-answer',
    { domain: 'pushed.com', answer: 'approve' },
    { token: owner.secret },
  );
  await site.work();
  assert.equal((await site.domain(again.domain_uuid)).state, 'active');
  assert.equal((await site.domain(id)).state, 'transferred_out');
  assert.deepEqual(await site.booksProblems(), []);
});
