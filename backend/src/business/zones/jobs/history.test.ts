import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import history from './history.ts';

const zones = await openZones((document) => {
  Object.assign(document, { zone_history: { revisions: 3, days: 30 } });
});
const customer = await zones.customer(100_000n);
const token = { token: customer.secret };

async function versions(domain: string): Promise<number[]> {
  await zones.run(history);
  const { revisions } = await zones.requests.data('domain/dns-history', { domain }, token);
  return revisions.map(({ version }: { version: number }) => version);
}

test('the last revisions are kept, and all young ones; what is kept can be brought back as before', async () => {
  await zones.zone(customer, 'forgetful.com');
  const change = async (count: number) => {
    const record = { action: 'create', name: `h${count}`, type: 'A', content: '192.0.2.1' };
    return await zones.update(customer, 'forgetful.com', { changes: [record] });
  };
  for (let count = 2; count <= 5; count += 1) await change(count);
  assert.deepEqual(await versions('forgetful.com'), [5, 4, 3, 2, 1]);
  zones.clock.set(zones.clock.now().add({ hours: 30 * 24 + 1 }));
  assert.deepEqual(await versions('forgetful.com'), [5, 4, 3]);
  const { revision_uuid, previous_revision_uuid } = await change(6);
  assert.deepEqual(await versions('forgetful.com'), [6, 5, 4]);
  const rollback = { domain: 'forgetful.com', revision_uuid: previous_revision_uuid };
  const rolled = await zones.requests.call('domain/dns-rollback', rollback, token);
  assert.equal(rolled.status, 202, rolled.text);
  const h5 = ['h2', 'h3', 'h4', 'h5'].map((name) => `${name} A 192.0.2.1`);
  assert.deepEqual(await zones.records(customer, 'forgetful.com'), h5);
  const shown = await zones.records(customer, 'forgetful.com', { revision_uuid });
  assert.deepEqual(shown, [...h5, 'h6 A 192.0.2.1']);
});

test('of a zone that went nothing is left after that time', async () => {
  await zones.zone(customer, 'went.com');
  await zones.update(customer, 'went.com', {
    changes: [{ action: 'create', name: 'www', type: 'A', content: '192.0.2.1' }],
  });
  await zones.work();
  const { id } = await zones.row('went.com');
  const kept = async () => {
    await zones.run(history);
    const { rows } = await zones.pool.pg.query(
      `SELECT (SELECT count(*)::int FROM zone_records WHERE zone_id = $1) AS records,
         (SELECT count(*)::int FROM zone_revisions WHERE zone_id = $1) AS revisions`,
      [id],
    );
    return [rows[0]?.records, rows[0]?.revisions];
  };
  await zones.pool.pg.query('UPDATE zones SET remove_at = $2 WHERE id = $1', [
    id,
    zones.clock.now().toString(),
  ]);
  await zones.tick();
  assert.equal(await zones.served('went.com'), null);
  zones.clock.set(zones.clock.now().add({ hours: 29 * 24 }));
  assert.deepEqual(await kept(), [1, 2]);
  zones.clock.set(zones.clock.now().add({ hours: 2 * 24 }));
  assert.deepEqual(await kept(), [0, 0]);
});
