import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Customer, openFixture } from '../../../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../../../test/requests.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';

const fixture = await openFixture();
const { clock, pool, customer, booksProblems } = fixture;
const { travel, license, service, charges, events, mails, sell, sweep } = timeTravel(fixture);
const { data } = openRequests(fixture);
const staff = await staffToken(fixture);

const MONTH = 399n;
const set = (time: string) => clock.set(Temporal.Instant.from(time));
const day = (instant: Temporal.Instant | null) => instant?.toString().slice(0, 10);

async function dearer<T>(during: () => Promise<T>, change: object = {}): Promise<T> {
  const price = (pricings: object) =>
    sell((document) => {
      for (const pack of document.license_packages) pack.pricings = pricings;
      Object.assign(document, change);
    });
  await price({ year: 99, month: 9, hour: 0.1 });
  try {
    return await during();
  } finally {
    Object.assign(change, { tax_rate: 19 });
    await price({ year: 43.89, month: 3.99, hour: 0.0067 });
  }
}

/** Sells licenses for other terms than before. */
const sellFor = (...months: number[]) =>
  sell((document) => {
    for (const pack of document.license_packages)
      Object.assign(pack, { durations: months.map((duration) => ({ duration, duration_unit: 'month' })) });
  });

const untilAnnounced = async (who: Customer) => {
  const id = await license(who, { duration: 3 });
  await travel('2027-04-01T00:00:00Z');
  assert.notEqual((await service(id)).announced_version, null);
  return id;
};

test('a renewal at the announced price is taxed by the law of its day', async () => {
  set('2027-01-10T09:00:00Z');
  const id = await untilAnnounced(await customer(1000_00n));
  await dearer(() => travel('2027-04-11T00:00:00Z'), { tax_rate: 25 });
  const { rows } = await pool.pg.query(
    "SELECT gross, tax_rate FROM orders WHERE service_id = $1 AND action = 'renew'",
    [id],
  );
  assert.deepEqual(rows, [{ gross: 3n * MONTH, tax_rate: 2500 }]);
});

test('who renews themselves pays no more than was announced to them', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(1000_00n);
  const id = await untilAnnounced(who);
  await dearer(() => data('panel/renew', { uuid: id, duration: 3 }, { token: who.secret }));
  assert.equal((await charges(id)).at(-1)?.gross, 3n * MONTH);
});

test('an announced price is forecast for the one renewal that it is for', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(3n * MONTH + 3n * MONTH + 20_00n);
  await untilAnnounced(who);
  const { forecast } = await dearer(() => data('account/balance', {}, { token: who.secret }));
  // In April the announced 11.97, in July 27.00, which is more than is left.
  assert.equal(forecast.covered_until, '2027-07-10 09:00:00');
});

test('who cancels what is off already is told when it is deleted, as it then is', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(MONTH);
  const id = await license(who);
  await travel('2027-03-02T09:00:00Z');
  assert.equal((await service(id)).state, 'suspended');
  const told = await data('panel/cancel', { uuid: id, mode: 'end_of_term' }, { token: who.secret });
  clock.set(clock.now().add({ minutes: 1 }));
  await sweep();
  assert.equal(day((await service(id)).delete_at), told.data_deleted_at.slice(0, 10));
});

test('what the law wants kept is not deleted, cancelled or not', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who);
  await data('panel/cancel', { uuid: id, mode: 'immediate' }, { token: who.secret });
  await data('staff/suspend', { uuid: id, reason: 'legal' }, { token: staff });
  await travel('2027-03-10T09:00:00Z');
  assert.equal((await service(id)).state, 'cancelled');
});

test('what is not sold for its term any more ends with it: told so once, and never that money is missing', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who, { duration: 2 });
  await sellFor(1);
  await travel('2027-03-12T09:00:00Z', { hours: 6 });
  await sellFor(1, 2, 3, 12);
  assert.equal((await mails(who, 'service.not-renewable')).length, 1);
  assert.equal(await events(who, 'license.not_renewable'), 1);
  assert.deepEqual(await mails(who, 'service.unpaid'), []);
  assert.equal(await events(who, 'license.unpaid'), 0);
  const ended = await service(id);
  assert.equal(ended.state, 'expired');
  assert.equal(day(ended.delete_at), '2027-04-09');
  const { rows } = await pool.pg.query('SELECT FROM suspensions WHERE service_id = $1', [id]);
  assert.deepEqual(rows, []);
});

test('a suspended account with money is not told to top up', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  await license(who);
  await pool.pg.query(`UPDATE accounts SET state = 'suspended' WHERE id = $1`, [who.accountId]);
  await travel('2027-02-12T09:00:00Z');
  assert.deepEqual(await mails(who, 'service.unpaid'), []);
  assert.deepEqual(
    [await events(who, 'license.unpaid'), (await mails(who, 'service.switched-off')).length],
    [1, 1],
  );
});

test('whose account was suspended when the renewal was due is told once that money is missing, when nothing else is', async () => {
  for (const [balance, told] of [
    [MONTH, 1],
    [2n * MONTH, 0],
  ] as const) {
    set('2027-01-10T09:00:00Z');
    const who = await customer(balance);
    const id = await license(who);
    const account = (state: string) =>
      pool.pg.query('UPDATE accounts SET state = $2 WHERE id = $1', [who.accountId, state]);
    const said = async () => [
      await events(who, 'license.unpaid'),
      (await mails(who, 'service.unpaid')).length,
      (await mails(who, 'service.switched-off')).length,
    ];
    await travel('2027-02-08T00:00:00Z', { hours: 3 });
    await account('suspended');
    await travel('2027-02-09T20:00:00Z', { hours: 1 });
    assert.deepEqual(await said(), [0, 0, 0]);
    await account('active');
    await travel('2027-02-10T08:00:00Z', { hours: 1 });
    assert.deepEqual(await said(), [told, told, 0]);
    await travel('2027-02-14T00:00:00Z', { hours: 1 });
    assert.deepEqual(await said(), [told, told, told]);
    assert.equal((await charges(id)).length, told === 1 ? 1 : 2);
  }
});

test('money that reaches for each of several services but not for all is warned of before they end', async () => {
  set('2027-01-10T09:00:00Z');
  const [poor, rich] = [await customer(4n * MONTH), await customer(6n * MONTH)];
  for (const who of [poor, rich]) for (let count = 0; count < 3; count += 1) await license(who);
  await travel('2027-02-08T12:00:00Z');
  const [told, ...others] = await mails(poor, 'service.expiring');
  assert.equal(told?.variables.services.length, 3);
  assert.deepEqual(others, []);
  assert.deepEqual(await mails(rich, 'service.expiring'), []);
});

test('of what is renewed already, nobody is warned again', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(4n * MONTH);
  const first = await license(who);
  set('2027-01-12T09:00:00Z');
  await license(who);
  // The first is renewed in the sweep that announces the second.
  set('2027-02-07T10:00:00Z');
  await sweep();
  set('2027-02-09T10:00:00Z');
  await sweep();
  assert.equal((await charges(first)).length, 2);
  assert.deepEqual(await mails(who, 'service.expiring'), []);
});

test('who ended a service is told that it ended, not to renew what cannot be renewed', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who);
  await data('panel/cancel', { uuid: id }, { token: who.secret });
  await travel('2027-02-12T09:00:00Z');
  assert.deepEqual(await mails(who, 'service.switched-off'), []);
  assert.equal((await mails(who, 'service.ended')).length, 1);
});

test('only a cancellation to the end of the term is said to be revocable, and until when', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(100_00n);
  const id = await license(who);
  await data('panel/cancel', { uuid: id }, { token: who.secret });
  await data('panel/cancel', { uuid: id, mode: 'immediate' }, { token: who.secret });
  const { rows } = await pool.pg.query<{ until: string | null }>(
    `SELECT variables ->> 'revocable_until' AS until FROM mails WHERE account_id = $1
     AND template = 'service.cancelled' ORDER BY 1`,
    [who.accountId],
  );
  assert.deepEqual(
    rows.map(({ until }) => until),
    ['2027-02-10 09:00:00', null],
  );
});

test('of a code and a standing discount the better holds; a code that is not used stays good', async () => {
  set('2027-01-10T09:00:00Z');
  await pool.pg.query(
    `INSERT INTO discount_codes (code, percent, cycles, max_uses, valid_from, created_at)
     VALUES ('FOREVER', 5000, 0, NULL, $1, $1), ('ONCE', 1000, 1, 1, $1, $1), ('BETTER', 7500, 1, 1, $1, $1)`,
    [clock.now()],
  );
  const who = await customer(100_00n);
  const renew = (discount_code: string) =>
    data('panel/renew', { uuid: id, duration: 1, discount_code }, { token: who.secret });
  const id = await license(who, { discount_code: 'forever' });
  await renew('once');
  await travel('2027-03-12T00:00:00Z');
  await renew('better');
  const grosses = (await charges(id)).map(({ gross }) => gross);
  assert.deepEqual(grosses, [200n, 200n, 200n, 100n]);
  const { rows } = await pool.pg.query(
    `SELECT c.code, c.uses, (SELECT count(*)::int FROM discount_uses u WHERE u.code = c.code) AS written
     FROM discount_codes c WHERE code IN ('ONCE', 'BETTER') ORDER BY code`,
  );
  assert.deepEqual(rows, [
    { code: 'BETTER', uses: 1, written: 1 },
    { code: 'ONCE', uses: 0, written: 0 },
  ]);
  assert.deepEqual(await booksProblems(), []);
});
