// Slow: 3 s

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, openFixture } from '../../../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../../../test/requests.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import { transaction } from '../../../../db/transaction.ts';
import { adjustBalance } from '../../../core/accounts/adjust.ts';

const fixture = await openFixture();
const { clock, pool, customer, booksProblems } = fixture;
const { license, sweep } = timeTravel(fixture);
const { call } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

const LAWS = `
  SELECT 'time paid for twice: ' || id AS problem FROM (SELECT id, period_from,
      lag(period_to) OVER (PARTITION BY service_id ORDER BY period_from) AS before
    FROM orders WHERE state = 'completed') o WHERE period_from < before
  UNION ALL SELECT 'not until its last order: ' || s.id FROM services s WHERE s.expire_at <>
    (SELECT max(period_to) FROM orders o WHERE o.service_id = s.id AND o.state = 'completed')
  UNION ALL SELECT 'never looked at again: ' || id FROM services WHERE due_at IS NULL AND state NOT IN ('deleted', 'error')
  UNION ALL SELECT 'suspended for nothing: ' || s.id FROM services s
    WHERE s.state = 'suspended' AND NOT EXISTS (SELECT FROM suspensions p WHERE p.service_id = s.id)
  UNION ALL SELECT 'on in spite of a suspension: ' || s.id FROM services s
    WHERE s.state IN ('active', 'cancel_scheduled') AND EXISTS (SELECT FROM suspensions p WHERE p.service_id = s.id)
  UNION ALL SELECT 'cancelled by nobody: ' || s.id FROM services s WHERE s.state = 'cancel_scheduled'
    AND NOT EXISTS (SELECT FROM cancellations c WHERE c.service_id = s.id AND c.revoked_at IS NULL)
  UNION ALL SELECT 'on in spite of a cancellation: ' || s.id FROM services s WHERE s.state = 'active'
    AND EXISTS (SELECT FROM cancellations c WHERE c.service_id = s.id AND c.revoked_at IS NULL)
  UNION ALL SELECT 'told twice: ' || type || ' ' || resource_id FROM events WHERE type ~ '(expiring|unpaid|expired|deleted)$'
    GROUP BY type, resource_id, body ->> 'expire_at', body ->> 'days' HAVING count(*) > 1`;

test('whatever customers, operators and two sweeps do at once over months, no law is broken', async () => {
  clock.set(Temporal.Instant.from('2027-01-10T09:00:00Z'));
  const people: { who: Customer; ids: string[] }[] = [];
  for (let count = 0; count < 12; count += 1) {
    const who = await customer(30_00n);
    const ids: string[] = [];
    for (let owned = 0; owned < 4; owned += 1) ids.push(await license(who));
    people.push({ who, ids });
  }
  const random = numbers(7);
  const act = (who: Customer, uuid: string, ids: readonly string[]) => {
    const sent = { token: who.secret };
    const acts: readonly (() => Promise<unknown>)[] = [
      () => call('panel/renew', { uuid, duration: 1 }, sent),
      () => call('panel/cancel', { uuid }, sent),
      () => call('panel/cancel', { uuid, mode: 'revoke' }, sent),
      () => call('panel/settings', { uuid, auto_renew: random(2) === 0 }, sent),
      () => call('staff/suspend', { uuid, reason: 'abuse' }, staff),
      () => call('staff/unsuspend', { uuid, reason: 'abuse' }, staff),
      () => call('staff/adjust-balance', { uuid: who.accountId, amount: 5, reason: 'x' }, staff),
      () => call('account/renewal-order', { uuids: ids.toReversed() }, sent),
      () =>
        transaction(pool, (tx) =>
          adjustBalance(tx, who.accountId, { amount: 1n, reason: 'x' }, clock.now()),
        ).catch(() => null),
    ];
    return acts[random(acts.length)]?.();
  };
  for (let week = 0; week < 25; week += 1) {
    clock.set(clock.now().add({ hours: 24 * 7 }));
    const work: unknown[] = [sweep(), sweep()];
    for (let count = 0; count < 40; count += 1) {
      const person = people[random(people.length)];
      const uuid = person?.ids[random(person.ids.length)];
      if (person !== undefined && uuid !== undefined) work.push(act(person.who, uuid, person.ids));
    }
    await Promise.all(work);
  }
  assert.deepEqual(await booksProblems(), []);
  const { rows } = await pool.pg.query(LAWS);
  assert.deepEqual(rows, []);
});
