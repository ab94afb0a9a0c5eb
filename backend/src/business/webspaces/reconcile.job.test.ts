import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openWebspaces } from '../../../test/webspaces.ts';
import type { FoundSite, Webserver } from '../../drivers/webserver/port.ts';
import reconcile from './reconcile.job.ts';

/** Sites of the sandbox that a restart has stopped, until they are ensured again. */
const stopped = new Set<string>();
const { pool, clock, customer, webspace, run, work, ports } = await openWebspaces();
const real: Webserver = ports.webserver;
const restarting = {
  ...ports,
  webserver: {
    ...real,
    list: async (host: string) =>
      (await real.list(host)).map(
        (site): FoundSite => ({ ...site, runs: site.runs && !stopped.has(site.webspaceId) }),
      ),
  },
};
after(() => stopped.clear());

const reports = async () =>
  (
    await pool.pg.query(
      "SELECT kind, subject FROM discrepancies WHERE resolved_at IS NULL AND kind LIKE 'site%' ORDER BY kind",
    )
  ).rows;
const enforcements = async () =>
  (await pool.pg.query("SELECT key FROM graphile_worker.jobs WHERE key LIKE 'webspace.converge:%'")).rows.map(
    ({ key }) => key,
  );

test('sites that a restart of their host has stopped are enforced again, however many', async () => {
  const who = await customer(10_000n);
  const ids: string[] = [];
  for (let at = 0; at < 12; at += 1) ids.push((await webspace(who)).webspace_uuid);
  for (const id of ids) stopped.add(id);
  await run(reconcile, {}, { ports: restarting });
  assert.equal((await enforcements()).length, 12);
  assert.deepEqual(await reports(), []);
  stopped.clear();
  await work();
  await run(reconcile, {}, { ports: restarting });
  assert.deepEqual(await enforcements(), []);
});

test('a site that is missing, unknown or in another state is reported, left alone, and forgotten when it is right', async () => {
  const [missing, off] = [await webspace(await customer(1000n)), await webspace(await customer(1000n))];
  const { rows } = await pool.pg.query('DELETE FROM sandbox.sites WHERE webspace_id = $1 RETURNING *', [
    missing.webspace_uuid,
  ]);
  await pool.pg.query('UPDATE sandbox.sites SET suspended = true WHERE webspace_id = $1', [
    off.webspace_uuid,
  ]);
  await pool.pg.query(
    `INSERT INTO sandbox.sites SELECT (jsonb_populate_record(NULL::sandbox.sites,
       $1::jsonb || '{"webspace_id": "0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11", "username": "stranger"}')).*`,
    [JSON.stringify({ ...rows[0], login_hash: null })],
  );
  await run(reconcile);
  assert.deepEqual(await reports(), [
    { kind: 'site_missing', subject: missing.webspace_uuid },
    { kind: 'site_state_differs', subject: off.webspace_uuid },
    { kind: 'site_unknown', subject: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' },
  ]);
  assert.deepEqual(await enforcements(), []);
  await pool.pg.query('UPDATE sandbox.sites SET suspended = false WHERE webspace_id = $1', [
    off.webspace_uuid,
  ]);
  clock.set(clock.now().add({ minutes: 10 }));
  await run(reconcile);
  assert.equal((await reports()).length, 2);
});

test('a host that does not answer is unknown: nothing is reported or forgotten', async () => {
  const before = await reports();
  await pool.pg.query("INSERT INTO sandbox.outages (host, node) VALUES ('web1', 'web1')");
  await run(reconcile);
  assert.deepEqual(await reports(), before);
});
