import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebspaces, SMALL_PACKAGE } from '../../../test/webspaces.ts';
import { isLogin } from '../../drivers/webserver/sandbox/login.ts';
import { Refusal } from '../../errors.ts';

const webspaces = await openWebspaces();
const { pool, customer, order, webspace, work, sites, balanceOf, roomProblems } = webspaces;
const refusedWith = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;
const stateOf = async (id: string) => {
  const row = await pool.kysely
    .selectFrom('services')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state;
};

test('an order holds the money, makes the site with the password that it answered, and takes the money', async () => {
  const who = await customer(1000n);
  const made = await order(who);
  assert.equal(made.state, 'PENDING');
  assert.equal(await balanceOf(who), 1000n);
  await work();
  assert.equal(await stateOf(made.webspace_uuid), 'active');
  assert.equal(await balanceOf(who), 601n);
  const site = (await sites()).find((one) => one.webspace_id === made.webspace_uuid);
  assert.ok(site);
  const { username, password } = made.access;
  assert.equal(site.username, username);
  assert.equal(await isLogin(site.login_hash, username, password ?? ''), true);
  assert.deepEqual(site.hostnames, [`${username}.${site.host}.sites.example`]);
  assert.deepEqual(site.certificates, site.hostnames);
  assert.deepEqual(await roomProblems(), []);
});

test('the password is forgotten once the back end has it', async () => {
  const made = await webspace(await customer(1000n), { password: 'a long password' });
  assert.equal(made.access.password, null);
  const { rows } = await pool.pg.query('SELECT password_sealed FROM webspaces WHERE id = $1', [
    made.webspace_uuid,
  ]);
  assert.deepEqual(rows, [{ password_sealed: null }]);
});

test('a refusal gives everything back: the money, the room, the user name and the host name', async () => {
  const who = await customer(1000n);
  const username = 'refused1';
  await pool.pg.query("INSERT INTO sandbox.faults (command, fault) VALUES ('ensure_site', 'refuse')");
  const made = await webspace(who, { username });
  assert.equal(await stateOf(made.webspace_uuid), 'error');
  assert.equal(await balanceOf(who), 1000n);
  assert.deepEqual(await roomProblems(), []);
  await webspace(who, { username });
});

test('after a time-out whose command took effect, the webspace is made and paid once', async () => {
  const who = await customer(1000n);
  await pool.pg.query("INSERT INTO sandbox.faults (command, fault) VALUES ('ensure_site', 'timeout_after')");
  const made = await webspace(who);
  assert.equal(await stateOf(made.webspace_uuid), 'provisioning');
  await webspaces.queue.query("UPDATE graphile_worker._private_jobs SET run_at = '2000-01-01'");
  await work();
  assert.equal(await stateOf(made.webspace_uuid), 'active');
  assert.equal(await balanceOf(who), 601n);
});

test('a full host is passed over, and when all are full nothing is taken', async () => {
  const who = await customer(1000n);
  await pool.pg.query("UPDATE web_hosts SET active = false WHERE name = 'web2'");
  try {
    const made = await order(who);
    const { rows } = await pool.pg.query('SELECT host FROM webspaces WHERE id = $1', [made.webspace_uuid]);
    assert.deepEqual(rows, [{ host: 'web1' }]);
    await pool.pg.query('UPDATE web_hosts SET active = false');
    await assert.rejects(order(who), refusedWith('out_of_stock'));
  } finally {
    await pool.pg.query('UPDATE web_hosts SET active = true');
  }
  await work();
  assert.deepEqual(await roomProblems(), []);
});

test('a version of PHP that few hosts have is ordered where it is', async () => {
  const made = await order(await customer(1000n), { php_version: '8.3' });
  const { rows } = await pool.pg.query('SELECT host, php_version FROM webspaces WHERE id = $1', [
    made.webspace_uuid,
  ]);
  assert.deepEqual(rows, [{ host: 'web1', php_version: '8.3' }]);
});

test("names of the system are nobody's user, and the provider's names nobody's domain", async () => {
  const who = await customer(1000n);
  for (const username of ['root', 'mysql', 'www', 'Ab1', 'a-b', '1abc', 'ab'])
    await assert.rejects(order(who, { username }), refusedWith('validation_failed'));
  await assert.rejects(order(who, { domain: 'x.web1.sites.example' }), refusedWith('hostname_taken'));
});

test('two who want one user name at the same moment: one gets it', async () => {
  const rivals = await Promise.all([customer(1000n), customer(1000n), customer(1000n)]);
  const outcomes = await Promise.allSettled(rivals.map((who) => order(who, { username: 'rival' })));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('what the package does not allow is refused before anything is taken', async () => {
  const who = await customer(1000n);
  const input = { pack_uuid: SMALL_PACKAGE, domain: 'shop.example.com' };
  await assert.rejects(order(who, input), refusedWith('limit_reached'));
});

test('a dry run prices it and changes nothing', async () => {
  const before = (await pool.pg.query('SELECT * FROM web_hosts ORDER BY name')).rows;
  const { quote } = await order(await customer(0n), { dry_run: true, tos: false, cancellation: false });
  assert.deepEqual([quote.gross, quote.in_stock], [3.99, true]);
  assert.deepEqual((await pool.pg.query('SELECT * FROM web_hosts ORDER BY name')).rows, before);
});
