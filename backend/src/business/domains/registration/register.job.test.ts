import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import { planDnsFault } from '../../../drivers/dns/sandbox/fault.ts';
import publish from '../../dns/publish/publish.job.ts';
import publicationDeadline from './publication-deadline.job.ts';
import register from './register.job.ts';

const domains = await openDomains();
const { ports } = domains;
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });

test('a domain that was ordered is registered, locked against transfers, and then paid', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'first-of-all.com', period: 2 });
  assert.equal(ordered.state, 'PENDING');
  assert.equal(ordered.charged.gross, 27.98);
  assert.equal(await domains.balanceOf(customer), 10_000n);
  await domains.work();
  assert.equal(await domains.balanceOf(customer), 7_202n);
  const row = await domains.domain(ordered.domain_uuid);
  assert.equal(row.state, 'active');
  assert.equal(row.service_state, 'active');
  assert.equal(row.expire_at.toString(), '2029-01-15T12:00:00Z');
  assert.ok(row.statuses.includes('clientTransferProhibited'), row.statuses.join());
  const found = await ports.registry.info(ref('first-of-all.com'));
  assert.deepEqual(
    found?.nameservers.map(({ hostname }) => hostname),
    ['ns1.hosting.example', 'ns2.hosting.example'],
  );
  assert.deepEqual(await domains.events(customer), ['domain.registered']);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a registry that refuses gives the money back, and the name is free for the next', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'snatched.com' });
  const contact = { ...ONE, handle: 'RIVAL-1' };
  const taken = await domains.rival.register({
    ...ref('snatched.com'),
    registrant: contact,
    admin: null,
    tech: null,
    billing: null,
    years: 1,
    nameservers: [],
    ds: [],
    authcode: 'Rival-Code-123',
    fee: null,
    since: domains.clock.now(),
  });
  assert.equal(taken.kind, 'done', JSON.stringify(taken));
  await domains.work();
  const row = await domains.domain(ordered.domain_uuid);
  assert.equal(row.state, 'failed');
  assert.equal(row.service_state, 'error');
  assert.equal(await domains.balanceOf(customer), 10_000n);
  assert.deepEqual(await domains.events(customer, 'order.'), ['order.failed']);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a registration whose answer is lost is found, not made again, and paid once', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'lost-answer.com' });
  const { rows } = await domains.pool.pg.query("SELECT id FROM zones WHERE name = 'lost-answer.com'");
  await domains.run(publish, { zone_id: rows[0]?.id });
  await domains.fault('create', 'timeout_after');
  const payload = { order_id: ordered.order_id };
  await domains.run(register, payload).catch(() => {});
  await domains.run(register, payload);
  await domains.run(register, payload);
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
  assert.deepEqual(await domains.charges('lost-answer.com'), ['create']);
  assert.equal(await domains.balanceOf(customer), 8_701n);
  await domains.work();
  assert.deepEqual(await domains.booksProblems(), []);
});

test('one that is cancelled while it is made costs nothing, and does not stay at the registry', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'second-thoughts.com' });
  await domains.requests.data(
    'domain/cancel',
    { uuid: ordered.domain_uuid, mode: 'immediate', confirm: 'second-thoughts.com' },
    { token: customer.secret },
  );
  await domains.work();
  await domains.live();
  await domains.live();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'deleted');
  assert.equal(await ports.registry.info(ref('second-thoughts.com')), null);
  assert.equal(await domains.balanceOf(customer), 10_000n);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a registration that its registry may be making is not cancelled before that has answered', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'half-made.com' });
  const { rows } = await domains.pool.pg.query("SELECT id FROM zones WHERE name = 'half-made.com'");
  await domains.run(publish, { zone_id: rows[0]?.id });
  await domains.fault('create', 'timeout_after');
  const payload = { order_id: ordered.order_id };
  await domains.run(register, payload).catch(() => {});
  const cancel = { uuid: ordered.domain_uuid, mode: 'immediate', confirm: 'half-made.com' };
  const sent = { token: customer.secret };
  const refused = await domains.requests.refused('state_conflict', 'domain/cancel', cancel, sent);
  assert.equal(refused.task_uuid, ordered.task.uuid);
  await domains.run(register, payload);
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
  assert.equal(await domains.balanceOf(customer), 8_701n);
  await domains.requests.data('domain/cancel', cancel, sent);
  await domains.work();
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a registration whose zone a name server refuses comes to nothing at once', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'refused-zone.com' });
  await planDnsFault(domains.sandbox, { command: 'ensure_zone', fault: 'refuse', zone: 'refused-zone.com' });
  await domains.work();
  const row = await domains.domain(ordered.domain_uuid);
  assert.deepEqual([row.state, row.service_state], ['failed', 'error']);
  assert.equal(await domains.balanceOf(customer), 10_000n);
  const { rows } = await domains.pool.pg.query('SELECT state, error FROM tasks WHERE id = $1', [
    ordered.task.uuid,
  ]);
  assert.deepEqual(rows, [{ state: 'failed', error: 'zone_not_published' }]);
  assert.equal(await ports.registry.info(ref('refused-zone.com')), null);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a registration whose zone no name server has within a day comes to nothing, and not before', async () => {
  const customer = await domains.customer(10_000n);
  const ordered = await domains.order(customer, { domain: 'waits-a-day.com' });
  const times = 1_000;
  const fault = { command: 'ensure_zone', fault: 'timeout_before', times, zone: 'waits-a-day.com' } as const;
  await planDnsFault(domains.sandbox, fault);
  const begun = domains.clock.now();
  const after = async (hours: number) => {
    domains.clock.set(begun.add({ hours }));
    await domains.run(publicationDeadline);
    await domains.work();
    return (await domains.domain(ordered.domain_uuid)).state;
  };
  assert.equal(await after(23), 'pending');
  assert.equal(await after(24), 'failed');
  assert.equal(await domains.balanceOf(customer), 10_000n);
  assert.deepEqual(await domains.booksProblems(), []);
});

const ONE = {
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
