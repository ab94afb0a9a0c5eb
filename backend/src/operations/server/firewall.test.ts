import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSizedServers } from '../../../test/sized-server.ts';
import firewallJob from '../../business/servers/network/firewall.job.ts';
import { planFault } from '../../drivers/hypervisor/sandbox/fault.ts';

const site = await openSizedServers();

const SSH = { direction: 'in', protocol: 'tcp', port_from: 22, action: 'accept' };
const NET = { direction: 'out', protocol: 'any', cidr: '2001:db8::/32', action: 'drop' };
const RULES = [SSH, NET];

const shown = (uuid: string, token: string) => site.data('server/firewall', { uuid }, { token });

async function inMachine(uuid: string) {
  const { rows } = await site.pool.pg.query('SELECT firewall FROM sandbox.machines WHERE server_id = $1', [
    uuid,
  ]);
  return rows[0]?.firewall;
}

test('the rules are shown as the machine has them, in their order, and counted', async () => {
  const { uuid, token } = await site.ordered();
  assert.deepEqual(await shown(uuid, token), {
    ...{ uuid, rules: [], policy_in: 'accept', policy_out: 'accept', version: 1 },
  });
  const input = { uuid, rules: RULES, policy_in: 'drop', expected_version: 1 };
  const begun = await site.changed('server/firewall-replace', input, token);
  assert.equal((await site.task(begun.task.uuid, token)).state, 'succeeded');
  assert.deepEqual(await inMachine(uuid), {
    rules: [
      { direction: 'in', protocol: 'tcp', ports: { from: 22, to: 22 }, cidr: null, action: 'accept' },
      { direction: 'out', protocol: 'any', ports: null, cidr: '2001:db8::/32', action: 'drop' },
    ],
    ...{ policyIn: 'drop', policyOut: 'accept' },
  });
  const after = await shown(uuid, token);
  const { task: _, ...told } = begun;
  assert.deepEqual(after, told);
  assert.equal(after.version, 2);
});

test('who has seen another version is refused; a second change waits for the first', async () => {
  const { uuid, token } = await site.ordered();
  await site.begin('server/firewall-replace', { uuid, rules: RULES }, token);
  const second = await site.call('server/firewall-replace', { uuid, rules: [] }, { token });
  assert.equal(second.body.error, 'resource_locked');
  await site.work();
  const late = await site.call(
    'server/firewall-replace',
    { uuid, rules: [], expected_version: 1 },
    { token },
  );
  assert.deepEqual([late.body.error, late.body.current_version], ['version_mismatch', 2]);
});

test('a rule that makes no sense is refused with its pointer', async () => {
  const { uuid, token } = await site.ordered();
  for (const [change, pointer] of [
    [{ cidr: '192.0.2.1/24' }, '/rules/1/cidr'],
    [{ cidr: 'example.com' }, '/rules/1/cidr'],
    [{ cidr: '192.0.2.0/24 accept; drop' }, '/rules/1/cidr'],
    [{ protocol: 'icmp' }, '/rules/1/port_from'],
    [{ port_to: 21 }, '/rules/1/port_to'],
    [{ port_from: null, port_to: 22 }, '/rules/1/port_from'],
    [{ port_from: 65_536 }, '/rules/1/port_from'],
    [{ direction: 'both' }, '/rules/1/direction'],
  ] as const) {
    const rules = [SSH, { ...SSH, ...change }];
    const refused = await site.call('server/firewall-replace', { uuid, rules }, { token });
    assert.deepEqual([refused.body.error, refused.body.errors[0]?.pointer], ['validation_failed', pointer]);
  }
  const many = await site.call('server/firewall-replace', { uuid, rules: Array(101).fill(SSH) }, { token });
  assert.equal(many.body.errors[0]?.pointer, '/rules');
  await site.changed('server/firewall-replace', { uuid, rules: Array(100).fill(SSH) }, token);
  assert.equal((await shown(uuid, token)).rules.length, 100);
});

test('a refusal of the hypervisor leaves the rules; a lost answer is asked for again, and counted once', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_firewall', fault: 'refuse', serverId: uuid });
  const { task } = await site.changed('server/firewall-replace', { uuid, rules: RULES }, token);
  assert.equal((await site.task(task.uuid, token)).error.error, 'backend_error');
  assert.equal((await shown(uuid, token)).version, 1);
  await planFault(site.sandbox, { command: 'ensure_firewall', fault: 'timeout_after', serverId: uuid });
  await site.begin('server/firewall-replace', { uuid, rules: RULES }, token);
  await assert.rejects(site.run(firewallJob, { server_id: uuid }));
  await site.work();
  await site.run(firewallJob, { server_id: uuid });
  assert.equal((await shown(uuid, token)).version, 2);
});

test('the rules stay through a reinstallation', async () => {
  const { uuid, token } = await site.ordered();
  await site.changed('server/firewall-replace', { uuid, rules: RULES, policy_in: 'drop' }, token);
  await site.changed('server/reinstall', { uuid, os: 'debian-13', confirm: 'web.example.com' }, token);
  assert.equal((await inMachine(uuid)).policyIn, 'drop');
  assert.equal((await shown(uuid, token)).policy_in, 'drop');
});

test('a change that has begun goes on while the server is suspended, so that the books never say less than holds', async () => {
  const { uuid, token } = await site.ordered();
  await planFault(site.sandbox, { command: 'ensure_firewall', fault: 'timeout_after', serverId: uuid });
  await site.begin('server/firewall-replace', { uuid, rules: [], policy_in: 'drop' }, token);
  await assert.rejects(site.run(firewallJob, { server_id: uuid }));
  await site.pool.pg.query("UPDATE services SET state = 'suspended' WHERE id = $1", [uuid]);
  await site.work();
  assert.equal((await shown(uuid, token)).policy_in, 'drop');
});
