// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDomains } from '../../../../test/domains.ts';
import type { Customer } from '../../../../test/fixture.ts';
import { WEBSPACE_ORDER } from '../../../../test/webspaces.ts';
import { DOMAIN_AUTHCODE } from './authcode.ts';

const domains = await openDomains();
const { clock, ports, pool, rival, sealer } = domains;
const CODE = 'Rival-Code-123';
const ref = (domain: string) => ({ domain, tld: 'com', registry: 'sandbox' });
const days = (count: number) => clock.now().add({ hours: 24 * count });

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

/** A domain of the rival's, free to be transferred. */
async function rivalsDomain(domain: string): Promise<void> {
  const outcome = await rival.register({
    ...ref(domain),
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
    authcode: CODE,
    fee: null,
    since: clock.now(),
  });
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  clock.set(days(61));
  // Codes hold for some days only.
  assert.equal((await rival.update({ ...ref(domain), authcode: CODE })).kind, 'done');
}

const transfer = (domain: string) => ({ action: 'transfer', domain, authcode: CODE });

test('a transfer that nobody objects to is through after five days, paid then, and keeps its name servers', async () => {
  await rivalsDomain('comes-over.com');
  const customer = await domains.customer(5_000n);
  const ordered = await domains.order(customer, transfer('comes-over.com'));
  assert.equal(ordered.expire_at, null);
  await domains.work();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'pending_transfer');
  assert.equal(await domains.balanceOf(customer), 5_000n);
  await domains.travel(days(6), { hours: 6 });
  const row = await domains.domain(ordered.domain_uuid);
  assert.equal(row.state, 'active');
  const found = await ports.registry.info(ref('comes-over.com'));
  assert.equal(found?.sponsoredHere, true);
  assert.equal(row.expire_at.toString(), found?.expireAt?.toString(), 'its term is the registry’s');
  assert.deepEqual(found?.nameservers.map(({ hostname }) => hostname).sort(), [
    'ns1.rival.example',
    'ns2.rival.example',
  ]);
  assert.equal(await domains.balanceOf(customer), 5_000n - 1_299n);
  assert.deepEqual(await domains.events(customer), ['domain.transfer_in_completed']);
  assert.deepEqual(await domains.booksProblems(), []);
});

test('one that is agreed to is through at once, by the registry’s message', async () => {
  await rivalsDomain('agreed.com');
  const customer = await domains.customer(5_000n);
  const ordered = await domains.order(customer, transfer('agreed.com'));
  await domains.work();
  assert.equal((await rival.answerTransfer(ref('agreed.com'), 'approve')).kind, 'done');
  await domains.live();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'active');
  const { rows } = await pool.pg.query('SELECT FROM registry_messages WHERE domain = $1', ['agreed.com']);
  assert.ok(rows.length > 0, 'the message is kept');
  assert.equal(await ports.registry.nextMessage('sandbox'), null, 'and acknowledged');
});

test('one that the losing registrar rejects costs nothing, and can be tried again', async () => {
  await rivalsDomain('refused.com');
  const customer = await domains.customer(5_000n);
  const ordered = await domains.order(customer, transfer('refused.com'));
  await domains.work();
  assert.equal((await rival.answerTransfer(ref('refused.com'), 'reject')).kind, 'done');
  await domains.live();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'failed');
  assert.equal(await domains.balanceOf(customer), 5_000n);
  clock.set(clock.now().add({ hours: 1 }));
  const again = await domains.order(customer, transfer('refused.com'));
  await domains.work();
  assert.equal((await domains.domain(again.domain_uuid)).state, 'pending_transfer');
  assert.deepEqual(await domains.booksProblems(), []);
});

test('a wrong code, or a lock at the other registrar, is told with the order, which is then none', async () => {
  await rivalsDomain('guarded.com');
  const customer = await domains.customer(5_000n);
  const wanted = { ...transfer('guarded.com'), tos: true, cancellation: true };
  const sent = { token: customer.secret };
  await domains.requests.refused('authcode_invalid', 'domain/order', { ...wanted, authcode: 'wrong' }, sent);
  await rival.update({ ...ref('guarded.com'), statuses: ['clientTransferProhibited'] });
  await domains.requests.refused('transfer_locked', 'domain/order', wanted, sent);
  const many = { names: [{ ...transfer('guarded.com'), authcode: 'wrong' }], tos: true, cancellation: true };
  const refused = await domains.requests.refused('order_items_refused', 'domain/order-many', many, sent);
  assert.equal(refused.errors[0].refusal, 'authcode_invalid');
});

test('if the registry did not say so in time, its task finds out, and the money is free again', async () => {
  await rivalsDomain('silent.com');
  const customer = await domains.customer(5_000n);
  await domains.fault('info', 'timeout_before');
  const ordered = await domains.order(customer, { ...transfer('silent.com'), authcode: 'wrong' });
  await domains.work();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'failed');
  const { rows } = await pool.pg.query('SELECT error FROM tasks WHERE id = $1', [ordered.task.uuid]);
  assert.equal(rows[0].error, 'authcode_invalid');
  assert.equal(await domains.balanceOf(customer), 5_000n);
});

/** A domain of a customer's whose code the rival knows. */
async function ours(domain: string, input: object = {}) {
  const customer = await domains.customer(10_000n);
  const id = await domains.register(customer, domain, { transfer_lock: false, ...input });
  clock.set(days(61));
  await domains.requests.data('domain/settings', { domain, auto_renew: false }, { token: customer.secret });
  await pool.pg.query('UPDATE domains SET transfer_lock_until = NULL WHERE id = $1', [id]);
  const released = await ports.registry.update({ ...ref(domain), statuses: [], authcode: CODE });
  assert.equal(released.kind, 'done', JSON.stringify(released));
  return { customer, id };
}

const ask = (domain: string) =>
  rival.requestTransfer({ ...ref(domain), authcode: CODE, years: 1, fee: null, since: clock.now() });

test('its customer is told that somebody asks for their domain, and it goes when they say nothing', async () => {
  const { customer, id } = await ours('goes-away.com');
  assert.equal((await ask('goes-away.com')).kind, 'done');
  await domains.live();
  assert.ok((await domains.events(customer)).includes('domain.transfer_out_requested'));
  assert.equal((await domains.mails(customer, 'domain.transfer-requested')).length, 1);
  await domains.travel(days(6), { hours: 12 });
  const row = await domains.domain(id);
  assert.equal(row.state, 'transferred_out');
  assert.equal(row.service_state, 'deleted');
  assert.equal((await domains.events(customer)).at(-1), 'domain.transfer_out_completed');
  assert.deepEqual(await domains.booksProblems(), []);
});

test('what they say is passed on: rejected it stays, approved it goes at once', async () => {
  const { customer, id } = await ours('stays-here.com');
  const answer = (said: string) =>
    domains.requests.data(
      'domain/transfer-answer',
      { domain: 'stays-here.com', answer: said },
      { token: customer.secret },
    );
  assert.equal((await ask('stays-here.com')).kind, 'done');
  await domains.live();
  await answer('reject');
  await domains.work();
  assert.equal((await ports.registry.transfer(ref('stays-here.com')))?.status, 'rejected');
  assert.equal((await domains.domain(id)).state, 'active');
  await domains.live();
  clock.set(days(1));
  assert.equal((await ask('stays-here.com')).kind, 'done');
  await domains.live();
  await answer('approve');
  await domains.work();
  assert.equal((await domains.domain(id)).state, 'transferred_out');
});

/** A webspace that serves names of a domain in its account. */
async function serving(who: Customer, ...hostnames: string[]): Promise<string> {
  const sent = { token: who.secret };
  const ordered = await domains.requests.call('webspace/order', WEBSPACE_ORDER, sent);
  const uuid = String(ordered.body.data.webspace_uuid);
  await domains.work();
  for (const domain of hostnames) {
    const added = await domains.requests.call('webspace/domain-add', { uuid, domain }, sent);
    assert.equal(added.body.data?.domain.proof, 'account', added.text);
  }
  await domains.work();
  return uuid;
}

/** Names in the books that are proven by the account, and those that the web server serves. */
async function served(uuid: string, domain: string) {
  const { rows: proven } = await pool.pg.query<{ hostname: string }>(
    "SELECT hostname FROM webspace_domains WHERE webspace_id = $1 AND proof = 'account' ORDER BY hostname",
    [uuid],
  );
  const { rows } = await pool.pg.query<{ hostnames: string[] }>(
    'SELECT hostnames FROM sandbox.sites WHERE webspace_id = $1',
    [uuid],
  );
  const names = (rows[0]?.hostnames ?? []).filter((name) => name.endsWith(domain));
  return [proven.map(({ hostname }) => hostname), names.toSorted()];
}

test('a domain that went away takes the names of its customer’s webspaces along (rule H1)', async () => {
  const { customer } = await ours('takes-along.com');
  await domains.register(customer, 'stays-put.com');
  const names = ['takes-along.com', 'www.takes-along.com'];
  const [other, uuid] = [await serving(customer, 'stays-put.com'), await serving(customer, ...names)];
  assert.deepEqual(await served(uuid, '.com'), [names, names]);
  assert.equal((await ask('takes-along.com')).kind, 'done');
  await domains.live();
  await domains.travel(days(6), { hours: 12 });
  assert.deepEqual(await served(uuid, '.com'), [[], []]);
  assert.deepEqual(await served(other, '.com'), [['stays-put.com'], ['stays-put.com']]);
});

test('between customers of ours a domain changes hands once its owner approves, with its term and at no charge', async () => {
  const { customer: loser, id } = await ours('changes-hands.com');
  const winner = await domains.customer(0n);
  const wanted = transfer('changes-hands.com');
  await pool.pg.query('UPDATE domains SET authcode_sealed = $2 WHERE id = $1', [
    id,
    sealer.seal(DOMAIN_AUTHCODE, CODE),
  ]);
  const sent = { token: winner.secret };
  const consent = { tos: true, cancellation: true };
  await domains.requests.refused(
    'authcode_invalid',
    'domain/order',
    { ...wanted, ...consent, authcode: 'guessed' },
    sent,
  );
  const before = await domains.domain(id);
  const ordered = await domains.order(winner, wanted);
  await domains.work();
  await domains.work();
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'pending_approval');
  const requests = (await domains.events(loser)).filter((type) => type === 'domain.transfer_out_requested');
  assert.equal(requests.length, 1);
  await domains.requests.data(
    'domain/transfer-answer',
    { domain: 'changes-hands.com', answer: 'approve' },
    { token: loser.secret },
  );
  await domains.work();
  const after = await domains.domain(ordered.domain_uuid);
  assert.equal(after.state, 'active');
  assert.equal(after.expire_at.toString(), before.expire_at.toString());
  assert.equal((await domains.domain(id)).state, 'transferred_out');
  assert.equal(await domains.balanceOf(winner), 0n);
  assert.deepEqual(await domains.charges('changes-hands.com'), ['create'], 'its registry heard nothing');
  assert.deepEqual(await domains.booksProblems(), []);
});

test('without their approval it stays where it is', async () => {
  const { id } = await ours('not-given.com');
  const winner = await domains.customer(0n);
  await pool.pg.query('UPDATE domains SET authcode_sealed = $2 WHERE id = $1', [
    id,
    sealer.seal(DOMAIN_AUTHCODE, CODE),
  ]);
  const ordered = await domains.order(winner, transfer('not-given.com'));
  await domains.work();
  await domains.travel(days(6), { hours: 24 });
  assert.equal((await domains.domain(ordered.domain_uuid)).state, 'failed');
  assert.equal((await domains.domain(id)).state, 'active');
  assert.deepEqual(await domains.booksProblems(), []);
});
