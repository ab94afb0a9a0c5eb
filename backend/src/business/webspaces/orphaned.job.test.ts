import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebspaces } from '../../../test/webspaces.ts';
import backupCreate from '../../operations/webspace/backup-create.ts';
import backupRestore from '../../operations/webspace/backup-restore.ts';
import phpVersion from '../../operations/webspace/php-version.ts';
import stranded from './orphaned.job.ts';
import { convergenceJob } from './webspace-jobs.ts';

const { pool, customer, webspace, run, work, queue, writes, item } = await openWebspaces();

async function ordered() {
  const who = await customer(1000n);
  const { webspace_uuid: uuid, access } = await webspace(who);
  return { who, uuid, username: access.username };
}
type Asked = Parameters<typeof item>;
async function call(operation: Asked[0], who: Asked[1], input: object) {
  const outcome = await writes.submit(item(operation, who, input));
  if (outcome.kind !== 'answered') throw outcome.kind === 'refused' ? outcome.refusal : new Error('locked');
  return outcome.data as Record<string, string>;
}
const exhaust = (key: string) =>
  queue.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, run_at = now() + interval '1 day'
     WHERE key LIKE $1`,
    [key],
  );
const unfinished = async (id: string) =>
  (
    await pool.pg.query(
      'SELECT type FROM tasks WHERE resource_id = $1 AND finished_at IS NULL ORDER BY type',
      [id],
    )
  ).rows.map(({ type }) => type);

test('a change, a backup and a restore whose jobs are gone or have given up go on', async () => {
  const { who, uuid, username } = await ordered();
  const { backup_uuid } = await call(backupCreate, who, { uuid });
  await work();
  await call(backupCreate, who, { uuid });
  await call(backupRestore, who, { uuid, backup_uuid, confirm: username });
  await call(phpVersion, who, { uuid, php_version: '8.3' });
  await exhaust('webspace.backup:%');
  await exhaust('webspace.converge:%');
  await queue.query("DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'webspace.restore:%'");
  await work();
  assert.deepEqual(await unfinished(uuid), ['webspace.backup', 'webspace.configure', 'webspace.restore']);
  await run(stranded);
  await work();
  assert.deepEqual(await unfinished(uuid), []);
  await run(stranded);
  const { rows } = await queue.query(
    'SELECT key FROM graphile_worker.jobs WHERE key IS NOT NULL AND attempts < max_attempts',
  );
  assert.deepEqual(rows, [], 'nothing is done twice');
});

test('a suspension whose job has given up goes on, too; one that only waits is left alone', async () => {
  const [one, other] = [await ordered(), await ordered()];
  for (const { uuid } of [one, other]) {
    await pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
    const { name, payload, key } = convergenceJob(uuid);
    await queue.query('SELECT graphile_worker.add_job($1, $2, job_key := $3)', [name, payload, key]);
  }
  await exhaust(`webspace.converge:${one.uuid}`);
  await queue.query(
    `UPDATE graphile_worker._private_jobs SET attempts = 7, run_at = now() + interval '1 day' WHERE key = $1`,
    [`webspace.converge:${other.uuid}`],
  );
  await run(stranded);
  await work();
  const { rows } = await pool.pg.query(
    'SELECT webspace_id FROM sandbox.sites WHERE suspended AND webspace_id = ANY($1)',
    [[one.uuid, other.uuid]],
  );
  assert.deepEqual(rows, [{ webspace_id: one.uuid }]);
});

test('a restore into a webspace that is gone ends', async () => {
  const { who, uuid, username } = await ordered();
  const { backup_uuid } = await call(backupCreate, who, { uuid });
  await work();
  await call(backupRestore, who, { uuid, backup_uuid, confirm: username });
  await pool.pg.query('DELETE FROM sandbox.sites WHERE webspace_id = $1', [uuid]);
  await pool.pg.query(
    "WITH s AS (UPDATE services SET state = 'deleted' WHERE id = $1) UPDATE webspaces SET removed_at = now() WHERE id = $1",
    [uuid],
  );
  await work();
  assert.deepEqual(await unfinished(uuid), []);
});
