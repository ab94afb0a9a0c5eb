import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DEAR_LICENSE, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { data, call, refused } = openRequests(fixture);
const { clock } = fixture;
const order = { duration: 1, tos: true, cancellation: true, auto_renew: true };
const later = (hours: number) => clock.set(clock.now().add({ hours }));

test('the dashboard of an account that has nothing', async () => {
  const { secret: token, accountId } = await fixture.customer(0n);
  const shown = await data('account/dashboard', {}, { token });
  assert.deepEqual(shown, {
    customer: {
      ...shown.customer,
      uuid: accountId,
      display_name: 'Test Customer',
      locale: 'en',
      since: '2027-01-15',
    },
    balance: { balance: 0, available: 0, currency: 'EUR' },
    counts: {
      domains: 0,
      servers: 0,
      webspaces: 0,
      licenses: 0,
      tickets_open: 0,
      tickets_waiting_for_you: 0,
      invoices_open: 0,
    },
    expiring: [],
    tasks: [],
    notices: [],
    recent_events: [],
  });
});

test('what expires in 30 days comes with its price and whether the money reaches when its turn comes', async () => {
  const who = await fixture.customer(20_000n);
  const sent = { token: who.secret };
  const first = await data('panel/order', { ...order, pack_uuid: LICENSE }, sent);
  later(24);
  const dear = await data('panel/order', { ...order, pack_uuid: DEAR_LICENSE }, sent);
  later(24);
  const last = await data('panel/order', { ...order, pack_uuid: LICENSE }, sent);
  const manual = await data('panel/order', { ...order, pack_uuid: LICENSE, auto_renew: false }, sent);
  const shown = async () => (await data('account/dashboard', {}, sent)).expiring;
  assert.equal((await shown()).length, 1, 'the others end in more than 30 days');
  later(24 * 5);
  await fixture.pool.pg.query('UPDATE accounts SET balance = 1000, floor = -100000 WHERE id = $1', [
    who.accountId,
  ]);
  const rows = (await shown()).map(
    (row: { resource: { uuid: string }; renewal_gross: number; covered: boolean; auto_renew: boolean }) => [
      row.resource.uuid,
      row.renewal_gross,
      row.covered,
      row.auto_renew,
    ],
  );
  assert.deepEqual(rows.slice(0, 2), [
    [first.license_uuid, 3.99, true, true],
    [dear.license_uuid, 50, false, true],
  ]);
  assert.deepEqual(
    new Map(rows.slice(2).map((row: unknown[]) => [row[0], row.slice(1)])),
    new Map([
      [last.license_uuid, [3.99, true, true]],
      [manual.license_uuid, [3.99, true, false]],
    ]),
  );
  await fixture.pool.pg.query('UPDATE accounts SET balance = 500 WHERE id = $1', [who.accountId]);
  const covered = (await shown()).filter((row: { covered: boolean }) => row.covered);
  assert.deepEqual(
    covered.map((row: { resource: { uuid: string } }) => row.resource.uuid).sort(),
    [first.license_uuid, manual.license_uuid].sort(),
    'the first takes what the last would need; the other does not renew itself',
  );
});

test('counts, events and tasks are of the account, and no token for certain things sees them', async () => {
  const who = await fixture.customer(20_000n);
  const sent = { token: who.secret };
  const { license_uuid } = await data('panel/order', { ...order, pack_uuid: LICENSE }, sent);
  await data('panel/order', { ...order, pack_uuid: LICENSE }, sent);
  const task = (age: number, finished: boolean, resource: string) =>
    fixture.pool.pg.query(
      `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at, started_at, finished_at)
       VALUES (gen_random_uuid(), $1, 'test', $3, 'license', $4, $2, $2, $5)`,
      [
        who.accountId,
        clock.now().subtract({ hours: age }).toString(),
        finished ? 'succeeded' : 'running',
        resource,
        finished ? clock.now().toString() : null,
      ],
    );
  await task(72, false, license_uuid);
  await task(2, true, license_uuid);
  await task(48, true, license_uuid);
  await task(1, false, randomUUID());
  const shown = await data('account/dashboard', {}, sent);
  assert.equal(shown.counts.licenses, 2);
  assert.deepEqual(
    shown.tasks.map((one: { state: string }) => one.state),
    ['running', 'running', 'succeeded'],
  );
  assert.ok(shown.recent_events.length > 4);
  const name = { name: 'narrow', scopes: ['account:read'], resource_allowlist: [license_uuid] };
  const { token } = await data('account/token-create', name, sent);
  await refused('token_restricted', 'account/dashboard', {}, { token });
});

test('notices are shown in the reader’s language, from their beginning to their end', async () => {
  const staff = { token: await staffToken(fixture) };
  const { secret: token } = await fixture.customer(0n);
  const title = { en: 'Maintenance', de: 'Wartung' };
  const body = { en: 'On Sunday.', de: 'Am Sonntag.' };
  const at = (hours: number) => clock.now().add({ hours }).toString().slice(0, 19).replace('T', ' ');
  const made = await data(
    'staff/notice-create',
    { severity: 'warning', title, body, starts_at: at(1), ends_at: at(5) },
    staff,
  );
  const shown = async (language = 'en') => {
    const headers = { 'accept-language': language };
    return (await call('account/dashboard', {}, { token, headers })).body.data.notices;
  };
  assert.deepEqual(await shown(), []);
  later(1);
  assert.deepEqual(await shown('de'), [
    {
      uuid: made.uuid,
      severity: 'warning',
      title: 'Wartung',
      body: 'Am Sonntag.',
      starts_at: made.starts_at,
      ends_at: made.ends_at,
      affected: [],
    },
  ]);
  later(1);
  const ended = await data('staff/notice-end', { uuid: made.uuid }, staff);
  assert.deepEqual(await shown(), []);
  later(1);
  assert.deepEqual(await data('staff/notice-end', { uuid: made.uuid }, staff), ended, 'ended once');
  const { notices, pagination } = await data('staff/notices', {}, staff);
  assert.deepEqual([notices, pagination.total], [[ended], 1]);
  await refused('not_found', 'staff/notice-end', { uuid: randomUUID() }, staff);
  for (const change of [{ ends_at: at(-1) }, { starts_at: '2027-02-30 00:00:00' }]) {
    await refused('validation_failed', 'staff/notice-create', { title, body, ...change }, staff);
  }
});
