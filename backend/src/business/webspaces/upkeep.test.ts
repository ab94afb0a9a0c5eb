import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebspaces, SMALL_PACKAGE } from '../../../test/webspaces.ts';
import scheduleBackups from './backups/schedule-backups.job.ts';
import certificates from './names/certificates.job.ts';
import { waitAfter } from './names/certificates.ts';
import removeDeleted from './remove-deleted.job.ts';
import usage from './usage/usage.job.ts';

const BARE_PACKAGE = '8c1f4f0e-2a57-4a0c-9f0b-4f6d1f4a9d02';
const { pool, clock, customer, webspace, run, work } = await openWebspaces((document) => {
  const [pack] = document.webspace_packages;
  if (pack === undefined) throw new Error('nothing is sold');
  document.webspace_packages.push({
    ...pack,
    uuid: BARE_PACKAGE,
    id: 303,
    name: 'Web bare',
    limits: { ...pack.limits, backups: 0 },
  });
});
const domainOf = async (id: string) =>
  (await pool.pg.query('SELECT * FROM webspace_domains WHERE webspace_id = $1', [id])).rows[0];

test('a certificate is renewed when it is due, and tried for again later and later when that fails (rule H4)', async () => {
  const { webspace_uuid: uuid } = await webspace(await customer(1000n));
  assert.equal((await domainOf(uuid)).tls_state, 'active');
  clock.set(clock.now().add({ hours: 24 * 20 }));
  await pool.pg.query('UPDATE webspace_domains SET tls_due_at = $1', [clock.now().toString()]);
  await pool.pg.query("INSERT INTO sandbox.faults (command, fault) VALUES ('ensure_certificate', 'refuse')");
  await run(certificates);
  await work();
  const failed = await domainOf(uuid);
  assert.deepEqual([failed.tls_state, failed.tls_failures], ['active', 1]);
  assert.equal(Temporal.Instant.compare(failed.tls_due_at, clock.now().add({ minutes: 15 })), 0);
  clock.set(clock.now().add({ minutes: 16 }));
  await run(certificates);
  await work();
  assert.deepEqual([(await domainOf(uuid)).tls_failures, (await domainOf(uuid)).tls_problem], [0, null]);
});

test('more first certificates than the authority allows a domain in a week wait; renewals do not (rule H4)', async () => {
  const first = await webspace(await customer(1000n));
  const { hostname } = await domainOf(first.webspace_uuid);
  const now = clock.now();
  const ordered = now.subtract({ hours: 24 }).toString();
  await pool.pg.query(
    `INSERT INTO certificate_orders (hostname, registered_domain, ordered_at)
     SELECT 'x', registered_domain, $1 FROM certificate_orders, generate_series(1, 45) WHERE hostname = $2`,
    [ordered, hostname],
  );
  const { webspace_uuid: uuid } = await webspace(await customer(1000n));
  const waiting = await domainOf(uuid);
  assert.equal(waiting.tls_expire_at, null);
  assert.match(waiting.tls_problem, /this week/);
  assert.equal(
    Temporal.Instant.compare(waiting.tls_due_at, Temporal.Instant.from(ordered).add({ hours: 7 * 24 })),
    0,
  );
  await pool.pg.query('UPDATE webspace_domains SET tls_due_at = $1 WHERE webspace_id = $2', [
    now.toString(),
    first.webspace_uuid,
  ]);
  await run(certificates);
  await work();
  assert.equal((await domainOf(first.webspace_uuid)).tls_problem, null);
  clock.set(now.add({ hours: 6 * 24 }));
  await run(certificates);
  await work();
  assert.equal((await domainOf(uuid)).tls_state, 'active');
});

test('no name fails more than four times in an hour', () => {
  let [minutes, failures] = [0, 0];
  while (minutes < 60) {
    minutes += waitAfter(failures).minutes;
    failures += 1;
  }
  assert.ok(failures <= 4);
});

test('one scheduled backup a day, and the oldest go that are more than the package keeps', async () => {
  const { webspace_uuid: uuid } = await webspace(await customer(1000n), { pack_uuid: SMALL_PACKAGE });
  const backups = async () =>
    (await pool.pg.query('SELECT id, state FROM webspace_backups WHERE webspace_id = $1', [uuid])).rows;
  await run(scheduleBackups);
  await run(scheduleBackups);
  await work();
  assert.deepEqual(
    (await backups()).map(({ state }) => state),
    ['available'],
  );
  const [first] = await backups();
  clock.set(clock.now().add({ hours: 24 }));
  await run(scheduleBackups);
  await work();
  await work();
  const left = await backups();
  assert.equal(left.length, 1);
  assert.notEqual(left[0]?.id, first?.id);
  const { rows } = await pool.pg.query('SELECT FROM sandbox.site_backups WHERE webspace_id = $1', [uuid]);
  assert.equal(rows.length, 1);
});

test('a backup that failed is shown for a month and then forgotten; what succeeded stays', async () => {
  const { webspace_uuid: uuid } = await webspace(await customer(1000n));
  await pool.pg.query("INSERT INTO sandbox.faults (command, fault) VALUES ('ensure_backup', 'refuse')");
  const states = async () =>
    (
      await pool.pg.query('SELECT state FROM webspace_backups WHERE webspace_id = $1 ORDER BY state', [uuid])
    ).rows.map(({ state }) => state);
  await run(scheduleBackups);
  await work();
  assert.deepEqual(await states(), ['failed']);
  clock.set(clock.now().add({ hours: 24 }));
  await run(scheduleBackups);
  await work();
  clock.set(clock.now().add({ hours: 24 * 28 }));
  await run(removeDeleted);
  assert.deepEqual(await states(), ['available', 'failed']);
  clock.set(clock.now().add({ hours: 48 }));
  await run(removeDeleted);
  assert.deepEqual(await states(), ['available']);
});

test('however many webspaces have no backups in their packages, those that have are backed up', async () => {
  const bare = await webspace(await customer(1000n), { pack_uuid: BARE_PACKAGE });
  // As many as one run looks at, and more, all before the one that has backups.
  await pool.pg.query(
    `WITH copies AS (
       INSERT INTO services OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(s, jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), 'number', 900000 + n))).*
       FROM services s, generate_series(1, 600) n WHERE s.id = $1 RETURNING id)
     INSERT INTO webspaces SELECT (jsonb_populate_record(w, jsonb_build_object('id', c.id, 'username', 'u' || right(c.id::text, 5),
       'uid', 500000 + right(c.id::text, 5)::int))).*
     FROM webspaces w, copies c WHERE w.id = $1`,
    [bare.webspace_uuid],
  );
  const { webspace_uuid: uuid } = await webspace(await customer(1000n), { pack_uuid: SMALL_PACKAGE });
  await run(scheduleBackups);
  const { rows } = await pool.pg.query(
    'SELECT webspace_id FROM webspace_backups WHERE webspace_id = ANY($1)',
    [[uuid, bare.webspace_uuid]],
  );
  assert.deepEqual(rows, [{ webspace_id: uuid }]);
  await pool.pg.query("UPDATE services SET state = 'deleted' WHERE id::text LIKE '00000000-%'");
});

test('usage is kept by the day, and counting twice counts once; who is nearly full is told once', async () => {
  const who = await customer(1000n);
  const { webspace_uuid: uuid } = await webspace(who);
  await run(usage);
  const days = async () =>
    (await pool.pg.query('SELECT * FROM webspace_usage WHERE webspace_id = $1 ORDER BY day', [uuid])).rows;
  const once = await days();
  assert.equal(once.length, 2);
  await run(usage);
  assert.deepEqual(await days(), once);
  await pool.pg.query('UPDATE webspaces SET disk = disk_used + 1 WHERE id = $1', [uuid]);
  await run(usage);
  await run(usage);
  const { rows } = await pool.pg.query(
    "SELECT body FROM events WHERE account_id = $1 AND type = 'webspace.quota_warning'",
    [who.accountId],
  );
  assert.equal(rows.length, 1);
});
