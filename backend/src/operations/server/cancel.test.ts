// Slow: 3 s

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { AUSTRIAN, AUSTRIAN_VAT } from '../../../test/addresses.ts';
import type { Customer } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { openServers } from '../../../test/servers.ts';
import provision from '../../business/servers/machine/provision.job.ts';
import type { WantedMachine } from '../../drivers/hypervisor/port.ts';

const START = Temporal.Instant.from('2027-01-15T12:00:00Z');

const site = await openServers((document) => {
  for (const pack of document.server_packages) Object.assign(pack, { setup: 10 });
});
const { pool, clock } = site;
const { data, refused } = openRequests(site);
const { data: save } = openRequests(site, { ports: site.ports as never });
const staff = { token: await staffToken(site) };

beforeEach(() => clock.set(START));

const HOSTNAME = 'web.example.com';

async function provisioned(): Promise<{ who: Customer; uuid: string }> {
  const who = await site.customer(10_000n);
  const { server_uuid: uuid } = await site.order(who);
  await site.work();
  return { who, uuid };
}

const cancel = (who: Customer, input: object) =>
  data('server/cancel', { confirm: HOSTNAME, ...input }, { token: who.secret });
const cannot = (error: string, who: Customer, input: object) =>
  refused(error, 'server/cancel', { confirm: HOSTNAME, ...input }, { token: who.secret });

async function serviceOf(uuid: string) {
  const { rows } = await pool.pg.query<Record<string, unknown>>(
    `SELECT state, auto_renew, due_at::text, delete_at::text, ended_at::text FROM services WHERE id = $1`,
    [uuid],
  );
  return rows[0];
}

async function machineOf(uuid: string) {
  return (await site.machines()).find((machine) => machine.server_id === uuid)?.power;
}

async function eventsOf(who: Customer): Promise<string[]> {
  const { rows } = await pool.pg.query<{ type: string }>(
    "SELECT type FROM events WHERE account_id = $1 AND type LIKE 'server.cancel%' ORDER BY sequence",
    [who.accountId],
  );
  return rows.map((row) => row.type);
}

const NO_REFUND = { amount: 0, currency: 'EUR', basis: 'none', transaction_uuid: null, parts: [] };

test('cancelled to the end of its term, a server runs on; taken back, it goes on as before', async () => {
  const { who, uuid } = await provisioned();
  assert.deepEqual(await cancel(who, { uuid, reason: 'price', comment: 'Too dear' }), {
    uuid,
    state: 'cancel_scheduled',
    mode: 'end_of_term',
    cancel_at: '2027-02-15 12:00:00',
    revocable_until: '2027-02-15 12:00:00',
    data_deleted_at: '2027-03-17 12:00:00',
    refund: NO_REFUND,
  });
  await site.work();
  assert.equal(await machineOf(uuid), 'running');
  assert.equal((await serviceOf(uuid))?.due_at, '2027-02-15 12:00:00+00');
  await cannot('state_conflict', who, { uuid });

  clock.set(START.add({ hours: 24 }));
  const back = await cancel(who, { uuid, mode: 'revoke' });
  assert.deepEqual(
    [back.state, back.mode, back.cancel_at, back.revocable_until, back.data_deleted_at],
    ['active', 'revoke', null, null, null],
  );
  assert.deepEqual(await serviceOf(uuid), {
    state: 'active',
    auto_renew: false,
    due_at: '2027-01-16 12:00:00+00',
    delete_at: null,
    ended_at: null,
  });
  await cannot('state_conflict', who, { uuid, mode: 'revoke' });
  assert.deepEqual(await eventsOf(who), ['server.cancelled', 'server.cancellation_revoked']);
  assert.equal(await site.balanceOf(who), 10_000n - 1_399n);
});

test('once the term is over, a cancellation cannot be taken back', async () => {
  const { who, uuid } = await provisioned();
  await cancel(who, { uuid });
  clock.set(Temporal.Instant.from('2027-02-15T12:00:00Z'));
  const body = await cannot('state_conflict', who, { uuid, mode: 'revoke' });
  assert.equal(body.current_state, 'cancel_scheduled');
});

test('while it is suspended, a cancellation and its revocation are remembered for when it is on again', async () => {
  const { who, uuid } = await provisioned();
  await data('staff/suspend', { uuid, reason: 'abuse' }, staff);
  assert.equal((await cancel(who, { uuid })).state, 'suspended');
  const body = await cannot('state_conflict', who, { uuid });
  assert.equal(body.current_state, 'cancel_scheduled');
  await refused('state_conflict', 'server/renew', { uuid, duration: 1 }, { token: who.secret });
  await data('staff/suspend', { uuid, reason: 'legal' }, staff);
  await data('staff/unsuspend', { uuid, reason: 'abuse' }, staff);
  await data('staff/unsuspend', { uuid, reason: 'legal' }, staff);
  assert.equal((await serviceOf(uuid))?.state, 'cancel_scheduled');
  await data('staff/suspend', { uuid, reason: 'abuse' }, staff);
  assert.equal((await cancel(who, { uuid, mode: 'revoke' })).state, 'suspended');
  await data('staff/unsuspend', { uuid, reason: 'abuse' }, staff);
  assert.equal((await serviceOf(uuid))?.state, 'active');
});

test('cancelled at once, it is off now, kept for a while, and nothing is paid back', async () => {
  const { who, uuid } = await provisioned();
  await cancel(who, { uuid });
  const ended = await cancel(who, { uuid, mode: 'immediate' });
  assert.deepEqual(
    [ended.state, ended.cancel_at, ended.revocable_until, ended.data_deleted_at, ended.refund],
    ['cancelled', '2027-01-15 12:00:00', null, '2027-02-14 12:00:00', NO_REFUND],
  );
  await site.work();
  assert.equal(await machineOf(uuid), 'stopped');
  assert.deepEqual(await serviceOf(uuid), {
    state: 'cancelled',
    auto_renew: false,
    due_at: '2027-02-14 12:00:00+00',
    delete_at: '2027-02-14 12:00:00+00',
    ended_at: '2027-01-15 12:00:00+00',
  });
  for (const mode of ['end_of_term', 'immediate', 'withdraw', 'revoke']) {
    await cannot('state_conflict', who, { uuid, mode });
  }
  await refused('state_conflict', 'server/renew', { uuid, duration: 1 }, { token: who.secret });
  assert.deepEqual(await site.stockProblems(), []);
});

test('a withdrawal pays back the unused share, set-up included, and renewals in advance whole', async () => {
  const { who, uuid } = await provisioned();
  await data('server/renew', { uuid, duration: 1 }, { token: who.secret });
  assert.equal(await site.balanceOf(who), 10_000n - 1_399n - 399n);
  // A tenth of 31 days.
  clock.set(START.add({ hours: 74, minutes: 24 }));
  const preview = (await cancel(who, { uuid, mode: 'withdraw', dry_run: true })).preview;
  assert.deepEqual(
    [preview.state, preview.refund.amount, preview.refund.transaction_uuid],
    ['cancelled', 16.59, null],
  );
  assert.equal(await site.balanceOf(who), 10_000n - 1_399n - 399n);
  assert.equal((await serviceOf(uuid))?.state, 'active');

  const { refund } = await cancel(who, { uuid, mode: 'withdraw' });
  // 13.99 × 0.9 = 12.591, rounded up; and all of 3.99.
  assert.deepEqual(
    refund.parts.map((part: { amount: number }) => part.amount),
    [12.6, 3.99],
  );
  assert.equal(refund.basis, 'statutory_withdrawal');
  assert.equal(await site.balanceOf(who), 10_000n - 139n);
  const { rows } = await pool.pg.query(
    `SELECT r.gross, r.tax, r.basis, r.period_from::text, r.invoice_id, e.kind, e.amount, e.tax AS entry_tax
     FROM refunds r JOIN ledger_entries e ON e.id = r.entry_id WHERE r.account_id = $1 ORDER BY r.period_from`,
    [who.accountId],
  );
  const common = { basis: 'statutory_withdrawal', invoice_id: null, kind: 'refund' };
  assert.deepEqual(rows, [
    {
      ...common,
      gross: 1_260n,
      tax: 201n,
      period_from: '2027-01-18 14:24:00+00',
      amount: 1_260n,
      entry_tax: 201n,
    },
    { ...common, gross: 399n, tax: 64n, period_from: '2027-02-15 12:00:00+00', amount: 399n, entry_tax: 64n },
  ]);
  const sums = await pool.pg.query(
    `SELECT ledger_account, sum(p.amount)::bigint AS sum FROM ledger_postings p JOIN ledger_entries e ON e.id = p.entry_id
     WHERE e.resource_id = $1 AND ledger_account NOT LIKE 'customer:%' GROUP BY ledger_account ORDER BY 1`,
    [uuid],
  );
  assert.deepEqual(sums.rows, [
    { ledger_account: 'revenue:server', sum: 117n },
    { ledger_account: 'tax:19.00', sum: 22n },
  ]);
  await site.work();
  assert.equal(await machineOf(uuid), 'stopped');
  assert.deepEqual(await site.stockProblems(), []);
});

test('the law’s preconditions hold: consumers, in time, where the operator grants it', async () => {
  const { who, uuid } = await provisioned();
  const reason = async () =>
    (await cannot('withdrawal_not_available', who, { uuid, mode: 'withdraw' })).reason;
  // The seller is in Berlin: the fourteenth day after 15 January ends an hour before it does in UTC.
  clock.set(Temporal.Instant.from('2027-01-29T23:00:00Z'));
  assert.equal(await reason(), 'period_over');
  clock.set(Temporal.Instant.from('2027-01-29T22:59:59Z'));
  await cancel(who, { uuid, mode: 'withdraw', dry_run: true });
  await site.importServers((document) => {
    for (const pack of document.server_packages) Object.assign(pack, { setup: 10 });
    Object.assign(document, { life: { server: { withdrawal: 'none' } } });
  });
  assert.equal(await reason(), 'not_granted');
  assert.equal((await serviceOf(uuid))?.state, 'active');
  await site.importServers((document) => {
    for (const pack of document.server_packages) Object.assign(pack, { setup: 10 });
  });
});

test('a business is who ordered as one, whatever the customer is now', async () => {
  const who = await site.customer(10_000n);
  const become = (vatId: string | null) =>
    save('account/save-address', { ...AUSTRIAN, vat_id: vatId }, { token: who.secret });
  await become(AUSTRIAN_VAT.valid);
  const { server_uuid: ordered } = await site.order(who);
  await site.work();
  await become(null);
  const { server_uuid: consumed } = await site.order(who);
  await site.work();
  await become(AUSTRIAN_VAT.valid);
  const refusal = await cannot('withdrawal_not_available', who, { uuid: ordered, mode: 'withdraw' });
  assert.equal(refusal.reason, 'business');
  await cancel(who, { uuid: consumed, mode: 'withdraw' });
});

test('what is not there yet can be cancelled: the money is free, and what is made all the same is removed', async () => {
  for (const mode of ['immediate', 'withdraw']) {
    const who = await site.customer(10_000n);
    const { server_uuid: uuid, task } = await site.order(who);
    const cancelWhileMade = async () => {
      const ended = await cancel(who, { uuid, mode });
      assert.deepEqual(
        [ended.state, ended.data_deleted_at, ended.refund.amount],
        ['cancelled', ended.cancel_at, 0],
      );
      return { kind: 'done' as const, result: { power: 'running' as const } };
    };
    const ensureMachine = async (wanted: WantedMachine) => {
      await site.ports.hypervisor.ensureMachine(wanted);
      return await cancelWhileMade();
    };
    const { rows } = await pool.pg.query<{ id: string }>('SELECT id FROM orders WHERE service_id = $1', [
      uuid,
    ]);
    const hypervisor = { ...site.ports.hypervisor, ensureMachine };
    await site.run(provision, { order_id: rows[0]?.id }, { ports: { ...site.ports, hypervisor } });
    assert.equal(await site.balanceOf(who), 10_000n);
    const told = await data('task/details', { uuid: task.uuid }, { token: who.secret });
    assert.equal(told.task.state, 'cancelled');
    await site.work();
    await site.live();
    assert.equal((await serviceOf(uuid))?.state, 'deleted');
    assert.equal(await machineOf(uuid), undefined);
    assert.deepEqual(await site.stockProblems(), []);
  }
});

test('the host name confirms it, but for a dry run or a revocation', async () => {
  const { who, uuid } = await provisioned();
  for (const confirm of ['', 'WEB.example.com', 'other.example.com', undefined]) {
    await cannot('confirmation_mismatch', who, { uuid, confirm });
  }
  await cannot('confirmation_mismatch', who, { uuid, confirm: 'other.example.com', dry_run: true });
  const { preview } = await cancel(who, { uuid, confirm: undefined, dry_run: true });
  assert.equal(preview.state, 'cancel_scheduled');
  assert.equal((await serviceOf(uuid))?.state, 'active');
  await cancel(who, { uuid });
  assert.equal((await cancel(who, { uuid, mode: 'revoke', confirm: undefined })).state, 'active');
});

test('each cancellation is written down, and told by one mail', async () => {
  const { who, uuid } = await provisioned();
  await cancel(who, { uuid, reason: 'moving', comment: 'Goodbye' });
  await cancel(who, { uuid, mode: 'revoke' });
  await cancel(who, { uuid, mode: 'immediate' });
  const { rows } = await pool.pg.query(
    `SELECT c.mode, c.reason, c.comment, c.requested_by, c.revoked_at IS NOT NULL AS revoked, m.template
     FROM cancellations c LEFT JOIN mails m ON m.cause = 'cancellation:' || c.id
     WHERE c.service_id = $1 ORDER BY c.id`,
    [uuid],
  );
  const told = { requested_by: who.userId, template: 'service.cancelled' };
  assert.deepEqual(rows, [
    { ...told, mode: 'end_of_term', reason: 'moving', comment: 'Goodbye', revoked: true },
    { ...told, mode: 'immediate', reason: null, comment: null, revoked: false },
  ]);
});

test('the life of a cancelled server goes on by itself: it ends with its term, and is deleted', async () => {
  const { who, uuid } = await provisioned();
  await cancel(who, { uuid });
  clock.set(Temporal.Instant.from('2027-02-15T12:00:00Z'));
  await site.live();
  assert.equal((await serviceOf(uuid))?.state, 'cancelled');
  assert.equal(await machineOf(uuid), 'stopped');
  clock.set(Temporal.Instant.from('2027-03-17T12:00:00Z'));
  await site.live();
  assert.equal((await serviceOf(uuid))?.state, 'deleted');
  assert.equal(await machineOf(uuid), undefined);
  assert.deepEqual(await site.stockProblems(), []);
});
