import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openServers } from '../../../../../test/servers.ts';
import { timeTravel } from '../../../../../test/time-travel.ts';
import { inUnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import { releaseHold } from '../../orders/hold.ts';
import retry from './retry.job.ts';

const fixture = await openServers();
const { clock, pool, customer } = fixture;
const { travel, license, sweep } = timeTravel(fixture);
const set = (time: string) => clock.set(Temporal.Instant.from(time));

test('it waits for the account before it touches services, so it cannot stand in anybody’s way', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(2n * 399n);
  const ids = [await license(who), await license(who)];
  await travel('2027-02-12T00:00:00Z');
  const rival = new pg.Client({ connectionString: fixture.database.url });
  await rival.connect();
  try {
    await rival.query('BEGIN');
    await rival.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [who.accountId]);
    const done = fixture.run(retry, { account_id: who.accountId });
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await rival.query(
        'SELECT count(*)::int AS waiting FROM pg_locks WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)) AND NOT granted',
      );
      waiting = rows[0].waiting;
    }
    await rival.query('SELECT FROM services WHERE id = ANY($1) ORDER BY id FOR UPDATE NOWAIT', [ids]);
    await rival.query('ROLLBACK');
    await done;
  } finally {
    await rival.end();
  }
});

test('money that a failed order frees goes to the renewals that wait for it', async () => {
  set('2027-01-10T09:00:00Z');
  const who = await customer(2n * 399n);
  await license(who);
  set('2027-02-10T08:00:00Z');
  const { order_id } = await fixture.order(who, { auto_renew: false });
  set('2027-02-10T09:00:30Z');
  await sweep();
  await inUnitOfWork(pool, clock.now(), [who.accountId], (tx, uow) => releaseHold(tx, uow, order_id, 'test'));
  const { rows } = await fixture.queue.query('SELECT key FROM graphile_worker._private_jobs WHERE key = $1', [
    `service.retry:${who.accountId}`,
  ]);
  assert.equal(rows.length, 1);
});
