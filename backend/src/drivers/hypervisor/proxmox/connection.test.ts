import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { settingsFor } from '../../../../test/proxmox/driver.ts';
import { openSimulator } from '../../../../test/proxmox/simulator.ts';
import { systemClock } from '../../../base/clock.ts';
import { openHypervisors } from '../connections.ts';

const simulator = await openSimulator();
const directory = mkdtempSync(join(tmpdir(), 'proxmox-file-'));
const file = join(directory, 'hypervisors.yaml');
after(async () => {
  rmSync(directory, { recursive: true, force: true });
  await simulator.close();
});

function open(change: object) {
  const settings = { ...settingsFor(simulator, join(directory, 'token')), ...change };
  writeFileSync(file, stringify({ 'pve-fra': settings }));
  return openHypervisors(file, { controlDirectory: join(directory, 'ssh'), clock: systemClock });
}

test("a cluster in the operator's file makes machines, and doctor finds nothing wrong with its nodes", async () => {
  const connection = open({}).proxmox.get('pve-fra') ?? assert.fail('there is no connection');
  assert.deepEqual(await connection.problems(), [
    { node: 'pve1', problem: null },
    { node: 'pve2', problem: null },
  ]);
  const wanted = simulator.wanted();
  assert.deepEqual(done(await connection.hypervisor.ensureMachine(wanted)), { power: 'running' });
  done(await connection.hypervisor.ensureAbsent(wanted));
  await connection.close();
});

test('a file with a setting that is not known, or without TLS, is refused', () => {
  assert.throws(() => open({ verify: false }), /verify/);
  assert.throws(() => open({ urls: ['http://pve1.example:8006'] }), /urls/);
  assert.throws(() => open({ vmids: { from: 100, to: 200 } }), /100,000 numbers/);
});
