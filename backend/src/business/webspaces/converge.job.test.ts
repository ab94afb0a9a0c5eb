import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../test/fixture.ts';
import { openWebspaces } from '../../../test/webspaces.ts';
import { isLogin } from '../../drivers/webserver/sandbox/login.ts';
import cancel from '../../operations/webspace/cancel.ts';
import createDatabase from '../../operations/webspace/database-create.ts';
import deleteDatabase from '../../operations/webspace/database-delete.ts';
import password from '../../operations/webspace/password.ts';
import renew from '../../operations/webspace/renew.ts';
import converge from './converge.job.ts';

const webspaces = await openWebspaces();
const { pool, clock, customer, webspace, run, live, work, sites, roomProblems, item, writes } = webspaces;

type Called = Parameters<typeof item>[0];
async function call(operation: Called, who: Customer, input: object) {
  const outcome = await writes.submit(item(operation, who, input));
  if (outcome.kind !== 'answered') throw outcome.kind === 'refused' ? outcome.refusal : new Error('locked');
  return outcome.data as Record<string, never>;
}
const siteOf = async (id: string) => (await sites()).find((site) => site.webspace_id === id);
const stateOf = async (id: string) =>
  (await pool.pg.query('SELECT state FROM services WHERE id = $1', [id])).rows[0]?.state;
const taskStates = async (id: string) =>
  (
    await pool.pg.query("SELECT state FROM tasks WHERE resource_id = $1 AND type = 'webspace.configure'", [
      id,
    ])
  ).rows.map((row) => row.state);

test('changes follow to the site, and their tasks end with them', async () => {
  const who = await customer(1000n);
  const { webspace_uuid: uuid, access } = await webspace(who);
  const { password: given } = await call(password, who, { uuid });
  const made = await call(createDatabase, who, { uuid, name: 'shop' });
  await work();
  const site = await siteOf(uuid);
  assert.equal(await isLogin(site?.login_hash ?? null, access.username, given ?? ''), true);
  const databases = await pool.pg.query('SELECT * FROM sandbox.site_databases WHERE webspace_id = $1', [
    uuid,
  ]);
  assert.deepEqual(
    databases.rows.map((row) => row.name),
    [`${access.username}_shop`],
  );
  assert.equal(await isLogin(databases.rows[0].login_hash, made.name ?? '', made.password ?? ''), true);
  assert.ok((await taskStates(uuid)).every((state) => state === 'succeeded'));
  const { rows } = await pool.pg.query('SELECT password_sealed FROM webspace_databases');
  assert.deepEqual(rows, [{ password_sealed: null }]);
});

test('a deleted database is gone, and its name is free again', async () => {
  const who = await customer(1000n);
  const { webspace_uuid: uuid } = await webspace(who);
  const made = await call(createDatabase, who, { uuid, name: 'shop' });
  await work();
  await call(deleteDatabase, who, { uuid, database_uuid: made.database_uuid, confirm: made.name });
  await work();
  const { rows } = await pool.pg.query('SELECT FROM sandbox.site_databases WHERE webspace_id = $1', [uuid]);
  assert.equal(rows.length, 0);
  await call(createDatabase, who, { uuid, name: 'shop' });
});

test('a password that is chosen while another is on its way prevails', async () => {
  const who = await customer(1000n);
  const { webspace_uuid: uuid, access } = await webspace(who);
  await call(password, who, { uuid });
  let second = '';
  const { webserver } = webspaces.ports;
  const meanwhile = {
    ...webspaces.ports,
    webserver: {
      ...webserver,
      ensureSite: async (wanted: Parameters<typeof webserver.ensureSite>[0]) => {
        const outcome = await webserver.ensureSite(wanted);
        if (second === '') second = (await call(password, who, { uuid })).password ?? '';
        return outcome;
      },
    },
  };
  await run(converge, { webspace_id: uuid }, { ports: meanwhile });
  await work();
  assert.equal(await isLogin((await siteOf(uuid))?.login_hash ?? null, access.username, second), true);
  assert.ok((await taskStates(uuid)).every((state) => state === 'succeeded'));
});

test('unpaid at the end of its grace it is suspended; a renewal brings it back; running twice changes nothing', async () => {
  const who = await customer(399n);
  const { webspace_uuid: uuid } = await webspace(who, { auto_renew: true });
  clock.set(clock.now().add({ hours: 24 * 35 }));
  await live();
  assert.equal(await stateOf(uuid), 'suspended');
  assert.equal((await siteOf(uuid))?.suspended, true);
  await run(converge, { webspace_id: uuid });
  assert.equal((await siteOf(uuid))?.suspended, true);
  await pool.pg.query('UPDATE accounts SET credit_limit = 1000, floor = -1000 WHERE id = $1', [
    who.accountId,
  ]);
  await call(renew, who, { uuid, duration: 1 });
  await work();
  assert.equal(await stateOf(uuid), 'active');
  assert.equal((await siteOf(uuid))?.suspended, false);
});

test('cancelled and kept for its time, it is removed, and its room, user and names are free', async () => {
  const who = await customer(1000n);
  const username = 'leaving';
  const { webspace_uuid: uuid } = await webspace(who, { username });
  await call(cancel, who, { uuid, mode: 'immediate', confirm: username });
  await work();
  assert.equal((await siteOf(uuid))?.suspended, true);
  clock.set(clock.now().add({ hours: 24 * 31 }));
  await live();
  assert.equal(await stateOf(uuid), 'deleted');
  assert.equal(await siteOf(uuid), undefined);
  assert.deepEqual(await roomProblems(), []);
  await run(converge, { webspace_id: uuid });
  assert.deepEqual(await roomProblems(), []);
  await webspace(await customer(1000n), { username });
});

test('a crash between the command and the books: the next run finds the site as it is', async () => {
  const who = await customer(1000n);
  const { webspace_uuid: uuid } = await webspace(who);
  await call(password, who, { uuid });
  const { webserver } = webspaces.ports;
  const crashing = {
    ...webspaces.ports,
    webserver: {
      ...webserver,
      ensureSite: async (wanted: Parameters<typeof webserver.ensureSite>[0]) => {
        await webserver.ensureSite(wanted);
        throw new Error('the process dies here');
      },
    },
  };
  await assert.rejects(run(converge, { webspace_id: uuid }, { ports: crashing }));
  await work();
  assert.deepEqual(await taskStates(uuid), ['succeeded']);
});
