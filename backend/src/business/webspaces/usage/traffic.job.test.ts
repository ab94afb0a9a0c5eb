import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { openWebspaces } from '../../../../test/webspaces.ts';
import { trafficStep } from './traffic.ts';
import usage from './usage.job.ts';

const LIMITED = '5a0e3c11-7d0b-4c0f-8a41-90b5c6de1b03';
const webspaces = await openWebspaces((document) => {
  const [pack] = document.webspace_packages;
  if (pack === undefined) throw new Error('nothing is sold');
  const limits = { ...pack.limits, traffic: 1000 };
  document.webspace_packages.push({ ...pack, uuid: LIMITED, id: 304, name: 'Web limited', limits });
});
const { pool, clock, customer, webspace, run, work } = webspaces;
const { data } = openRequests(webspaces, { ports: webspaces.ports as never });

test('who has nearly used up the traffic of their month is warned once; used up, the webspace is off until the next', async () => {
  clock.set(Temporal.Instant.from('2027-05-20T12:00:00Z'));
  const who = await customer(10_000n);
  const { webspace_uuid: uuid } = await webspace(who, { pack_uuid: LIMITED, duration_unit: 'year' });
  const gib = 1024 ** 3;
  const sent = async (day: string, bytes: number) => {
    await pool.pg.query(
      `INSERT INTO webspace_usage (webspace_id, day, traffic_bytes) VALUES ($1, $2, $3)
       ON CONFLICT (webspace_id, day) DO UPDATE SET traffic_bytes = $3`,
      [uuid, day, Math.round(bytes)],
    );
    for (let times = 0; times < 2; times += 1) await run(usage);
    await work();
  };
  const stateNow = async () => {
    const { rows } = await pool.pg.query(
      `SELECT s.state, t.suspended, ARRAY(SELECT reason FROM suspensions WHERE service_id = s.id) AS reasons
       FROM services s JOIN sandbox.sites t ON t.webspace_id = s.id WHERE s.id = $1`,
      [uuid],
    );
    return rows[0];
  };
  const told = async () => {
    const { rows } = await pool.pg.query<{ type: string }>(
      "SELECT type FROM events WHERE account_id = $1 AND type ~ '^webspace.(traffic|susp|unsusp)' ORDER BY sequence",
      [who.accountId],
    );
    return rows.map(({ type }) => type.slice('webspace.'.length));
  };
  const [on, off] = [
    { state: 'active', suspended: false, reasons: [] },
    { state: 'suspended', suspended: true, reasons: ['quota'] },
  ];
  // The sandbox's own traffic of these days comes on top; it is little beside these.
  await sent('2027-04-30', 5000 * gib);
  await sent('2027-05-02', 850 * gib);
  assert.deepEqual([await stateNow(), await told()], [on, []], 'another month counts for nothing');
  await sent('2027-05-02', 910 * gib);
  assert.deepEqual([await stateNow(), await told()], [on, ['traffic_warning']]);
  await sent('2027-05-03', 90 * gib);
  assert.deepEqual([await stateNow(), await told()], [off, ['traffic_warning', 'suspended']]);
  const status = await data('webspace/status', { uuid }, { token: who.secret });
  assert.equal(status.suspension.reason, 'quota');
  assert.equal(status.usage.traffic_total, 1000);
  assert.ok(status.usage.traffic_used >= 1000);
  clock.set(Temporal.Instant.from('2027-06-01T00:07:00Z'));
  await sent('2027-06-01', 0);
  assert.deepEqual([await stateNow(), (await told()).at(-1)], [on, 'unsuspended']);
  await sent('2027-06-01', 1001 * gib);
  assert.deepEqual(await stateNow(), off);
  await data('staff/unsuspend', { uuid, reason: 'quota' }, { token: await staffToken(webspaces) });
  await sent('2027-06-01', 1002 * gib);
  assert.deepEqual(await stateNow(), on, 'an operator is not overruled in the same month');
});

test('a webspace that is off for its traffic is on again when its package has more, or as much as it likes', () => {
  const month = { id: '', account_id: '', used: 10n, allowed: 10n, warned: true, stopped: true, off: true };
  assert.equal(trafficStep(month), null);
  for (const allowed of [11n, null]) assert.equal(trafficStep({ ...month, allowed }), 'lift');
});
