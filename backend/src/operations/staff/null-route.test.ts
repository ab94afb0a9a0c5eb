import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staffToken } from '../../../test/requests.ts';
import { openSizedServers } from '../../../test/sized-server.ts';
import networkAccessJob from '../../business/servers/network/network-access.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();
const staff = await staffToken(site);

async function reach(uuid: string) {
  const { rows } = await site.pool.pg.query<{ mail: boolean; null_routed: string[] }>(
    'SELECT mail, ARRAY(SELECT abbrev(a) FROM unnest(null_routed) a) AS null_routed FROM sandbox.machines WHERE server_id = $1',
    [uuid],
  );
  return rows[0];
}

async function addresses(uuid: string, token: string) {
  const { ipv4, ipv6 } = await site.data('server/ipaddresses', { uuid }, { token });
  return [ipv4[0], ipv6[0]] as { ip_address: string; state: string }[];
}

async function route(ip_address: string, null_routed: boolean) {
  const set = await site.data('staff/null-route', { ip_address, null_routed, reason: 'x' }, { token: staff });
  await site.work();
  return set;
}

test('a null-routed address is cut off at the machine, and its customer sees which', async () => {
  const { uuid, token } = await site.ordered();
  const [ipv4, ipv6] = await addresses(uuid, token);
  assert.deepEqual([ipv4?.state, ipv6?.state], ['active', 'active']);
  assert.equal((await route(ipv4?.ip_address ?? '', true)).server_uuid, uuid);
  await route(ipv6?.ip_address ?? '', true);
  assert.deepEqual((await reach(uuid))?.null_routed, [ipv4?.ip_address, ipv6?.ip_address]);
  assert.deepEqual(
    (await addresses(uuid, token)).map(({ state }) => state),
    ['null_routed', 'null_routed'],
  );
  await route(ipv4?.ip_address ?? '', false);
  assert.deepEqual((await reach(uuid))?.null_routed, [ipv6?.ip_address]);
});

test('a suspended server is cut off, too; what the books said last prevails', async () => {
  const { uuid, token } = await site.ordered();
  const [ipv4] = await addresses(uuid, token);
  await site.pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await planFault(site.sandbox, { command: 'ensure_reach', fault: 'timeout_after', serverId: uuid });
  const input = { ip_address: ipv4?.ip_address, null_routed: true };
  await site.data('staff/null-route', input, { token: staff });
  await assert.rejects(site.run(networkAccessJob, { server_id: uuid }));
  await site.data('staff/null-route', { ...input, null_routed: false }, { token: staff });
  await site.work();
  assert.deepEqual((await reach(uuid))?.null_routed, []);
});

test('mail servers are out of reach until an operator allows it, and are after a reinstallation', async () => {
  const { uuid, token } = await site.ordered();
  assert.equal((await reach(uuid))?.mail, false);
  await site.data('staff/server-mail', { uuid, open: true }, { token: staff });
  await site.work();
  assert.equal((await reach(uuid))?.mail, true);
  await site.changed('server/reinstall', { uuid, os: 'debian-13', confirm: 'web.example.com' }, token);
  assert.equal((await reach(uuid))?.mail, true);
});

test('an address that nobody has is not found, and one that is given back is routed again', async () => {
  const { uuid, token } = await site.ordered();
  const [ipv4] = await addresses(uuid, token);
  await site.refused(
    'not_found',
    'staff/null-route',
    { ip_address: '192.0.2.1', null_routed: true },
    { token: staff },
  );
  await site.refused(
    'not_found',
    'staff/server-mail',
    { uuid: crypto.randomUUID(), open: true },
    { token: staff },
  );
  await route(ipv4?.ip_address ?? '', true);
  await site.begin('server/cancel', { uuid, mode: 'immediate', confirm: 'web.example.com' }, token);
  site.clock.set(site.clock.now().add({ hours: 60 * 24 }));
  await site.live();
  await site.live();
  const { rows } = await site.pool.pg.query('SELECT state, null_route FROM addresses WHERE address = $1', [
    ipv4?.ip_address,
  ]);
  assert.deepEqual(rows, [{ state: 'quarantine', null_route: null }]);
});
