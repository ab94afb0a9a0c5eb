import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import pg from 'pg';
import { LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { eventsAfterText, MOST_SEARCHED } from '../../business/notifications/events/log.ts';

let owner: pg.Client;
// Before the fixture's own, which drops the database.
after(() => owner.end());
const fixture = await openFixture();
const { data, refused } = openRequests(fixture);
owner = new pg.Client({ connectionString: fixture.database.url });
await owner.connect();
// While they are empty: a month that the default partition has rows of stays there.
for (let month = 1; month <= 24; month += 1) {
  const first = `${2025 + Math.floor((month - 1) / 12)}-${String(((month - 1) % 12) + 1).padStart(2, '0')}-01`;
  await owner.query("SELECT ensure_month_partition('events', $1::date)", [first]);
}
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

test('a cursor goes through all events, each once, in their order, and finds what comes later', async () => {
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret };
  const { license_uuid, order_id } = await data('panel/order', order, sent);
  await data('panel/order', order, sent);
  const seen: { sequence: number; type: string; data: unknown; resource: unknown }[] = [];
  let cursor = '0';
  const drain = async () => {
    for (;;) {
      const page = await data('account/events', { after: cursor, per_page: 2 }, sent);
      seen.push(...page.events);
      cursor = page.next_cursor;
      if (!page.more) return;
    }
  };
  await drain();
  const count = seen.length;
  assert.deepEqual(
    seen.map((event) => event.sequence),
    Array.from({ length: count }, (_, index) => index + 1),
  );
  const paid = seen.find((event) => event.type === 'order.paid');
  assert.deepEqual(paid?.resource, { type: 'license', uuid: license_uuid });
  assert.deepEqual(paid?.data, { order_id, gross_minor: 399, currency: 'EUR' });
  await drain();
  assert.equal(seen.length, count, 'nothing new');
  await data('panel/rename', { uuid: license_uuid, custom_name: 'Shop' }, sent);
  await data('panel/bind-ip', { uuid: license_uuid, ip_address: '192.0.2.7' }, sent);
  await drain();
  assert.equal(seen.at(-1)?.type, 'license.bound');
  const { events, more } = await data('account/events', { types: ['order.paid', 'license.bound'] }, sent);
  assert.deepEqual(
    events.map((event: { type: string }) => event.type),
    ['order.paid', 'order.paid', 'license.bound'],
  );
  assert.equal(more, false);
  await refused('validation_failed', 'account/events', { types: ['no.such'] }, sent);
  await refused('validation_failed', 'account/events', { after: '-1' }, sent);
});

/** Events of an account by SQL, spread over the 24 months from 2025 on. */
async function fill(accountId: string, count: number, type: string): Promise<void> {
  await owner.query(
    `INSERT INTO events (account_id, sequence, id, type, body, created_at)
     SELECT $1, a.event_seq + n, gen_random_uuid(), $3, '{}', timestamptz '2025-01-01' + n * interval '17500 hours' / $2
     FROM accounts a, generate_series(1, $2::int) n WHERE a.id = $1`,
    [accountId, count, type],
  );
  await owner.query('UPDATE accounts SET event_seq = event_seq + $2 WHERE id = $1', [accountId, count]);
}

test('a rare type is found behind thousands of others, by pages that say that there is more', async () => {
  const who = await fixture.customer(0n);
  const sent = { token: who.secret };
  await fill(who.accountId, MOST_SEARCHED + 10, 'license.bound');
  await fill(who.accountId, 1, 'order.failed');
  const first = await data('account/events', { types: ['order.failed'] }, sent);
  assert.deepEqual([first.events.length, first.more, first.next_cursor], [0, true, String(MOST_SEARCHED)]);
  const second = await data('account/events', { types: ['order.failed'], after: first.next_cursor }, sent);
  assert.deepEqual([second.events.length, second.more], [1, false]);
});

test('every month is read by its index, and a month without anything after the cursor hardly at all', async () => {
  const who = await fixture.customer(0n);
  await fill(who.accountId, 20_000, 'license.bound');
  await fill((await fixture.customer(0n)).accountId, 20_000, 'license.bound');
  await owner.query('VACUUM ANALYZE events');
  // As the application's connections plan: once, for any values.
  await owner.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
  await owner.query(`PREPARE after_cursor (uuid, bigint, int, text[], uuid[], int) AS ${eventsAfterText}`);
  const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE after_cursor ('${who.accountId}', 19900, 50, NULL, NULL, 50)`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  assert.ok(plan !== undefined);
  const scans = nodesOf(plan).filter((node) => node['Relation Name']?.startsWith('events_'));
  assert.ok(scans.length >= 24, `${scans.length} partitions`);
  for (const scan of scans) {
    assert.equal(scan['Node Type'], 'Index Scan');
    assert.match(scan['Index Cond'] ?? '', /account_id = \$1.*sequence > \$2/);
    assert.ok((scan['Actual Rows'] ?? 0) <= 51);
    assert.equal(scan['Rows Removed by Filter'] ?? 0, 0);
  }
  const read = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  assert.ok(read < 150, `${read} blocks for a page of ${scans.length} months`);
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

test('a gap that dropped months left is passed over', async () => {
  const who = await fixture.customer(0n);
  await fill(who.accountId, 10, 'license.bound');
  await owner.query('DELETE FROM events WHERE account_id = $1 AND sequence < 8', [who.accountId]);
  const page = await data('account/events', { per_page: 2 }, { token: who.secret });
  assert.deepEqual(
    page.events.map((event: { sequence: number }) => event.sequence),
    [8, 9],
  );
  assert.deepEqual([page.next_cursor, page.more], ['9', true]);
  const beyond = await data('account/events', { after: '999' }, { token: who.secret });
  assert.deepEqual(beyond, { events: [], next_cursor: '999', more: false });
});

test('nobody reads the events of others, and a token for certain things only those of these things', async () => {
  const [who, other] = [await fixture.customer(10_000n), await fixture.customer(0n)];
  const sent = { token: who.secret };
  const [one] = [await data('panel/order', order, sent), await data('panel/order', order, sent)];
  assert.deepEqual((await data('account/events', {}, { token: other.secret })).events, []);
  for (const [allowed, found] of [
    [one.license_uuid, true],
    [randomUUID(), false],
  ] as const) {
    const { token } = await data(
      'account/token-create',
      { name: 'narrow', scopes: ['account:read'], resource_allowlist: [allowed] },
      sent,
    );
    const { events } = await data('account/events', {}, { token });
    assert.equal(events.length > 0, found);
    for (const event of events) assert.equal(event.resource.uuid, allowed);
  }
});
