import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { SUSPENSION_REASONS } from '../../business/selling/subscriptions/suspension.ts';

const fixture = await openFixture();
const { call, data, refused } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

async function license(customer: Customer): Promise<string> {
  const request = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };
  return (await data('panel/order', request, { token: customer.secret })).license_uuid;
}

async function events(customer: Customer): Promise<string[]> {
  const { rows } = await fixture.pool.pg.query<{ type: string; reason: string }>(
    `SELECT type, body ->> 'reason' AS reason FROM events
     WHERE account_id = $1 AND type LIKE '%suspended' ORDER BY sequence`,
    [customer.accountId],
  );
  return rows.map(({ type, reason }) => `${type} ${reason}`);
}

test('a service is off while any reason is left, and what happened is told once each', async () => {
  const customer = await fixture.customer(1_000n);
  const uuid = await license(customer);
  const sent = { token: customer.secret };
  const state = async () => (await data('panel/details', { uuid }, sent)).state;

  const first = await data('staff/suspend', { uuid, reason: 'abuse', note: 'Ticket 4711' }, staff);
  assert.equal(first.state, 'suspended');
  assert.equal(first.account_uuid, customer.accountId);
  assert.deepEqual(first.suspensions, [
    { reason: 'abuse', note: 'Ticket 4711', since: '2027-01-15 12:00:00' },
  ]);
  fixture.clock.set(fixture.clock.now().add({ minutes: 1 }));
  assert.deepEqual(
    await data('staff/suspend', { uuid, reason: 'abuse' }, staff),
    first,
    'once more changes nothing',
  );
  await data('staff/suspend', { uuid, reason: 'legal' }, staff);
  assert.equal(await state(), 'suspended');
  await data('staff/unsuspend', { uuid, reason: 'abuse' }, staff);
  assert.equal(await state(), 'suspended');
  const lifted = await data('staff/unsuspend', { uuid, reason: 'legal' }, staff);
  assert.deepEqual([lifted.state, lifted.suspensions], ['active', []]);
  assert.deepEqual(await data('staff/unsuspend', { uuid, reason: 'legal' }, staff), lifted);
  assert.equal(await state(), 'active');
  assert.deepEqual(await events(customer), [
    'license.suspended abuse',
    'license.suspended legal',
    'license.unsuspended abuse',
    'license.unsuspended legal',
  ]);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('payment lifts unpaid and nothing else', async () => {
  const customer = await fixture.customer(10_000n);
  const uuid = await license(customer);
  const sent = { token: customer.secret };
  const renew = async () => {
    await data('panel/renew', { uuid, duration: 1 }, sent);
    return (await data('panel/details', { uuid }, sent)).state;
  };
  await data('staff/suspend', { uuid, reason: 'unpaid' }, staff);
  assert.equal(await renew(), 'active');
  await data('staff/suspend', { uuid, reason: 'unpaid' }, staff);
  await data('staff/suspend', { uuid, reason: 'operator' }, staff);
  assert.equal(await renew(), 'suspended');
  assert.equal((await data('staff/unsuspend', { uuid, reason: 'operator' }, staff)).state, 'active');
});

test('after any suspensions and their lifting in any order a service is what it was', async () => {
  const customer = await fixture.customer(100_000n);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('active', 'cancel_scheduled', 'expired'),
      fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...SUSPENSION_REASONS)), { maxLength: 12 }),
      async (before, steps) => {
        const uuid = await license(customer);
        await fixture.pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [uuid, before]);
        const model = new Set<string>();
        for (const [on, reason] of [...steps, ...SUSPENSION_REASONS.map((one) => [false, one] as const)]) {
          const service = await data(on ? 'staff/suspend' : 'staff/unsuspend', { uuid, reason }, staff);
          if (on) model.add(reason);
          else model.delete(reason);
          assert.deepEqual(new Set(service.suspensions.map((one: { reason: string }) => one.reason)), model);
          assert.equal(service.state, model.size === 0 || before === 'expired' ? before : 'suspended');
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('operators at the same moment: each reason is there once', async () => {
  const customer = await fixture.customer(1_000n);
  const uuid = await license(customer);
  const answers = await Promise.all(
    [...SUSPENSION_REASONS, ...SUSPENSION_REASONS].map((reason) =>
      call('staff/suspend', { uuid, reason }, staff),
    ),
  );
  assert.ok(answers.every((answer) => answer.status === 200));
  const { rows } = await fixture.pool.pg.query('SELECT reason FROM suspensions WHERE service_id = $1', [
    uuid,
  ]);
  assert.equal(rows.length, SUSPENSION_REASONS.length);
  assert.equal((await events(customer)).length, SUSPENSION_REASONS.length);
});

test('what has ended or is not there cannot be suspended', async () => {
  const uuid = await license(await fixture.customer(1_000n));
  await fixture.pool.pg.query("UPDATE services SET state = 'deleted', ended_at = created_at WHERE id = $1", [
    uuid,
  ]);
  const body = await refused('state_conflict', 'staff/suspend', { uuid, reason: 'abuse' }, staff);
  assert.equal(body.current_state, 'deleted');
  const nothing = { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'abuse' };
  await refused('not_found', 'staff/suspend', nothing, staff);
  await refused('not_found', 'staff/unsuspend', nothing, staff);
});

test('customers and operators without the scope cannot', async () => {
  const customer = await fixture.customer(1_000n);
  const request = { uuid: await license(customer), reason: 'abuse' };
  const reader = { token: await staffToken(fixture, ['staff:read']) };
  for (const path of ['staff/suspend', 'staff/unsuspend']) {
    await refused('operation_not_found', path, request, { token: customer.secret });
    await refused('scope_missing', path, request, reader);
  }
});
