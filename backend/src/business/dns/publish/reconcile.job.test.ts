import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import reconcile from './reconcile.job.ts';

const zones = await openZones();
const { pool, ports } = zones;
const customer = await zones.customer(100_000n);

/** A comparison a while later: what it does not find any more is closed. */
async function compare(): Promise<void> {
  zones.clock.set(zones.clock.now().add({ minutes: 20 }));
  await zones.run(reconcile);
}

async function open(): Promise<string[]> {
  const { rows } = await pool.pg.query<{ kind: string; subject: string }>(
    'SELECT kind, subject FROM discrepancies WHERE resolved_at IS NULL ORDER BY kind, subject',
  );
  return rows.map(({ kind, subject }) => `${kind} ${subject}`);
}

test('a zone that the books do not know is reported, and stays', async () => {
  await zones.zone(customer, 'known.com');
  await ports.dns.ensureZone({
    zone: 'stranger.example',
    rrsets: [],
    nameservers: ['ns1.x.example'],
    dnssec: false,
  });
  await zones.run(reconcile);
  assert.deepEqual(await open(), ['zone_unknown stranger.example']);
  assert.notEqual(await zones.served('stranger.example'), null);
  await ports.dns.ensureAbsent('stranger.example');
  await compare();
  assert.deepEqual(await open(), []);
});

test('a zone that the name server lost is published again; one whose parent has a DS waits for an operator', async () => {
  await zones.zone(customer, 'lost-again.com');
  const changes = [{ action: 'create', name: 'www', type: 'A', content: '192.0.2.1' }];
  await zones.update(customer, 'lost-again.com', { changes });
  await zones.zone(customer, 'lost-key.com', { dnssec: true });
  await zones.work();
  await ports.dns.ensureAbsent('lost-again.com');
  await ports.dns.ensureAbsent('lost-key.com');
  await zones.run(reconcile);
  await zones.work();
  assert.deepEqual(await zones.served('lost-again.com'), ['www.lost-again.com A 192.0.2.1']);
  assert.equal(await zones.served('lost-key.com'), null);
  await compare();
  assert.deepEqual(await open(), ['zone_missing lost-key.com']);
});

test('a publication whose job is gone is enqueued again', async () => {
  await zones.zone(customer, 'job-gone.com');
  const changes = [{ action: 'create', name: 'www', type: 'A', content: '192.0.2.1' }];
  await zones.update(customer, 'job-gone.com', { changes });
  const remove =
    "SELECT graphile_worker.remove_job(key) FROM graphile_worker.jobs WHERE key LIKE 'dns.publish:%'";
  await zones.queue.query(remove);
  zones.clock.set(zones.clock.now().add({ hours: 2 }));
  await zones.run(reconcile);
  await zones.work();
  assert.deepEqual(await zones.served('job-gone.com'), ['www.job-gone.com A 192.0.2.1']);
});
