import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZones } from '../../../../test/zones.ts';
import { planDnsFault } from '../../../drivers/dns/sandbox/fault.ts';
import { BackendUnavailable } from '../../../drivers/outcome.ts';
import register from '../../domains/registration/register.job.ts';

const zones = await openZones();
const { pool, ports, sandbox, clock } = zones;
const customer = await zones.customer(100_000n);
const create = (name: string, content = '192.0.2.1', type = 'A') => ({
  action: 'create',
  name,
  type,
  content,
});

/** A command that is carried out, of which the job hears nothing because its process ends. */
async function crashAfter(domain: string): Promise<void> {
  const crashed = new Error('the process ends here');
  const crashing = zones.portsWith((dns) => ({
    async ensureRrSets(wanted) {
      await dns.ensureRrSets(wanted);
      throw crashed;
    },
  }));
  await assert.rejects(zones.publish(domain, crashing), crashed);
}

/** The jobs that are to publish a zone, dead ones too. */
async function waiting(domain: string) {
  const { rows } = await zones.queue.query<{ attempts: number; seconds: number }>(
    `SELECT attempts, extract(epoch FROM run_at - now())::float8 AS seconds FROM graphile_worker._private_jobs
     WHERE payload ->> 'zone_id' = $1`,
    [(await zones.row(domain)).id],
  );
  return rows;
}

test('whatever is lost when a run ends too early, the next run finishes it; a further one is harmless', async () => {
  await zones.zone(customer, 'crash.com');
  const { task } = await zones.update(customer, 'crash.com', { changes: [create('www'), create('mail')] });
  await planDnsFault(sandbox, { command: 'ensure_rrsets', fault: 'timeout_before', zone: 'crash.com' });
  await assert.rejects(zones.publish('crash.com'), BackendUnavailable);
  assert.deepEqual(await zones.served('crash.com'), []);
  await planDnsFault(sandbox, { command: 'ensure_rrsets', fault: 'timeout_after', zone: 'crash.com' });
  await assert.rejects(zones.publish('crash.com'), BackendUnavailable);
  await crashAfter('crash.com');
  assert.equal((await zones.row('crash.com')).published_version, 1);
  await zones.publish('crash.com');
  await zones.publish('crash.com');
  assert.deepEqual(await zones.served('crash.com'), [
    'mail.crash.com A 192.0.2.1',
    'www.crash.com A 192.0.2.1',
  ]);
  const row = await zones.row('crash.com');
  assert.deepEqual([row.published_version, row.visible_version, row.lease], [2, 2, null]);
  const { rows } = await pool.pg.query(
    "SELECT count(*)::int AS events FROM events WHERE body->>'task_uuid' = $1 AND type = 'task.succeeded'",
    [task.uuid],
  );
  assert.equal(rows[0]?.events, 1);
});

test('what changes while a run is under way is not overtaken by it, and is published next', async () => {
  await zones.zone(customer, 'overtaken.com');
  await zones.update(customer, 'overtaken.com', { changes: [create('www', '192.0.2.1')] });
  const interrupted = zones.portsWith((dns) => ({
    async ensureRrSets(wanted) {
      const { diff } = await zones.update(customer, 'overtaken.com', { changes: [create('new')] });
      assert.equal(diff.added.length, 1);
      await zones.work();
      assert.equal((await waiting('overtaken.com')).length, 1, 'it comes again');
      return await dns.ensureRrSets(wanted);
    },
  }));
  await zones.publish('overtaken.com', interrupted);
  assert.equal((await zones.row('overtaken.com')).published_version, 2);
  await zones.work();
  assert.equal((await zones.row('overtaken.com')).published_version, 3);
  assert.deepEqual(await zones.served('overtaken.com'), [
    'new.overtaken.com A 192.0.2.1',
    'www.overtaken.com A 192.0.2.1',
  ]);
});

test('a run whose process was killed holds the zone up for 45 seconds at most', async () => {
  await zones.zone(customer, 'killed.com');
  await zones.update(customer, 'killed.com', { changes: [create('www')] });
  await pool.pg.query(
    "UPDATE zones SET lease = gen_random_uuid(), leased_until = $1 WHERE name = 'killed.com'",
    [clock.now().add({ seconds: 45 }).toString()],
  );
  await zones.work();
  const [again] = await waiting('killed.com');
  assert.ok(
    again !== undefined && again.seconds > 0 && again.seconds <= 45,
    'it comes when the lease is over',
  );
  assert.deepEqual([again.attempts, await zones.served('killed.com')], [0, []]);
  clock.set(clock.now().add({ seconds: 45 }));
  await zones.queue.query('UPDATE graphile_worker._private_jobs SET run_at = created_at WHERE key = $1', [
    `dns.publish:${(await zones.row('killed.com')).id}`,
  ]);
  await zones.work();
  assert.deepEqual(await waiting('killed.com'), []);
  assert.equal((await zones.served('killed.com'))?.length, 1);
});

test('a run that outlives its lease undoes nothing of the run that took its place', async () => {
  await zones.zone(customer, 'lagging.com');
  const made = await zones.update(customer, 'lagging.com', { changes: [create('www')] });
  await zones.work();
  const move = async (content: string) => {
    const { id } = made.diff.added[0];
    await zones.update(customer, 'lagging.com', { changes: [{ action: 'update', id, content }] });
  };
  await move('192.0.2.2');
  const slow = zones.portsWith((dns) => ({
    async ensureRrSets(wanted) {
      clock.set(clock.now().add({ seconds: 50 }));
      await move('192.0.2.3');
      await zones.publish('lagging.com');
      assert.deepEqual(await zones.served('lagging.com'), ['www.lagging.com A 192.0.2.3']);
      return await dns.ensureRrSets(wanted);
    },
  }));
  await zones.publish('lagging.com', slow);
  await zones.work();
  assert.deepEqual(await zones.served('lagging.com'), ['www.lagging.com A 192.0.2.3']);
  const row = await zones.row('lagging.com');
  assert.deepEqual([row.published_version, row.visible_version], [row.version, row.version]);
});

test('a name server that lost a zone gets all of it, and one that refuses it fails the task', async () => {
  await zones.zone(customer, 'lost.com');
  await zones.update(customer, 'lost.com', { changes: [create('www')] });
  await zones.work();
  await ports.dns.ensureAbsent('lost.com');
  await zones.update(customer, 'lost.com', { changes: [create('mail')] });
  await zones.work();
  assert.equal((await zones.served('lost.com'))?.length, 2);
  await planDnsFault(sandbox, { command: 'ensure_rrsets', fault: 'refuse', zone: 'lost.com' });
  await planDnsFault(sandbox, { command: 'ensure_zone', fault: 'refuse', zone: 'lost.com' });
  const { task } = await zones.update(customer, 'lost.com', { changes: [create('third')] });
  await zones.work();
  const failed = await zones.requests.data('task/details', { uuid: task.uuid }, { token: customer.secret });
  assert.equal(failed.task.error.error, 'backend_error');
  assert.match(failed.task.error.message, /name server/);
  await zones.update(customer, 'lost.com', { changes: [create('fourth')] });
  await zones.work();
  assert.equal((await zones.served('lost.com'))?.length, 4, 'the next change publishes what was refused too');
});

test('a domain is registered only when its zone is served, and its zone goes when it is refused', async () => {
  await planDnsFault(sandbox, { command: 'ensure_zone', fault: 'timeout_before', zone: 'ordered.com' });
  const ordered = await zones.order(customer, { domain: 'ordered.com' });
  await zones.run(register, { order_id: ordered.order_id });
  assert.deepEqual(await zones.charges('ordered.com'), []);
  await zones.fault('create', 'refuse');
  await assert.rejects(zones.publish('ordered.com'), BackendUnavailable);
  assert.equal(await zones.served('ordered.com'), null);
  await zones.publish('ordered.com');
  assert.deepEqual(await zones.served('ordered.com'), []);
  await zones.work();
  assert.equal((await zones.domain(ordered.domain_uuid)).state, 'failed');
  await zones.tick();
  assert.equal(await zones.served('ordered.com'), null);
  await zones.zone(customer, 'ordered.com');
  assert.deepEqual(await zones.served('ordered.com'), [], 'the name is free for the next zone');
});
