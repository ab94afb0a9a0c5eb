// Needs: servers

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openDriver } from '../../../../test/proxmox/driver.ts';
import { readSeed } from '../../../../test/proxmox/guest.ts';
import { openSimulator } from '../../../../test/proxmox/simulator.ts';
import { hashPassword } from './crypt.ts';
import { isoImage } from './iso9660.ts';

const simulator = await openSimulator();
const { cluster } = simulator;
const { driver, close } = openDriver(simulator);
after(async () => {
  close();
  await simulator.close();
});
const seeds = () => simulator.volumes().filter((volid) => volid.startsWith('local:iso/'));
const bytesOf = (volid = '') => cluster.volume(volid, 'pve1')?.bytes ?? assert.fail('no such volume');

test('password hashes are those of crypt(5)', () => {
  for (const password of ['a', 'correct horse battery', 'pässwörd 中😀', 'x'.repeat(128)])
    for (const salt of ['s', 'saltsaltsaltsalt', 'a.B/9']) {
      const { stdout } = spawnSync('openssl', ['passwd', '-6', '-salt', salt, '-stdin'], {
        input: `${password}\n`,
      });
      assert.equal(hashPassword(password, salt), stdout.toString().trim());
    }
  assert.notEqual(hashPassword('a'), hashPassword('a'));
});

test('a medium holds its files, octet by octet, under their names', () => {
  const userData = randomBytes(50_000).toString('base64');
  const image = isoImage('cidata', [
    { plain: 'META_DAT.;1', name: 'meta-data', content: Buffer.from('instance-id: 1\n') },
    { plain: 'USER_DAT.;1', name: 'user-data', content: Buffer.from(userData) },
    { plain: 'VENDOR_D.;1', name: 'vendor-data', content: Buffer.alloc(0) },
    { plain: 'NETWORK_.;1', name: 'network-config', content: Buffer.alloc(2048, 'n') },
  ]);
  assert.deepEqual(readSeed(image), {
    'meta-data': 'instance-id: 1\n',
    'user-data': userData,
    'vendor-data': '',
    'network-config': 'n'.repeat(2048),
  });
});

test('a seed carries hashes only, and goes once the first start was reported (rules G3, G5)', async () => {
  const wanted = simulator.wanted({ password: 'correct horse battery', userData: '#!/bin/sh\ntouch /ran' });
  done(await driver.ensureMachine(wanted));
  const [seed, ...more] = seeds();
  assert.equal(more.length, 0);
  const image = bytesOf(seed);
  assert.equal(image.includes('correct horse battery'), false);
  assert.match(readSeed(image)['meta-data'] ?? '', new RegExp(`instance-id: "?${wanted.serverId}-1"?\n`));
  assert.equal(simulator.diskOf(wanted).files.has('ran'), true);
  simulator.diskOf(wanted).finished.clear();
  assert.deepEqual(await driver.ensureHost('fra-epyc'), { unreachableNodes: [] });
  assert.deepEqual(seeds(), [seed]);
  simulator.diskOf(wanted).finished.add(`${wanted.serverId}-1`);
  await driver.ensureHost('fra-epyc');
  await cluster.tasks.idle();
  assert.deepEqual(seeds(), []);
  assert.equal(simulator.machinesOf(wanted.serverId)[0]?.config.ide2, 'none,media=cdrom');
  done(await driver.ensureAbsent(wanted));
});

test('a seed of a system that reports nothing goes after a day of running', async () => {
  const wanted = simulator.wanted();
  done(await driver.ensureMachine(wanted));
  simulator.diskOf(wanted).agent = false;
  cluster.pass(86_399);
  await driver.ensureHost('fra-epyc');
  assert.equal(seeds().length, 1);
  cluster.pass(1);
  await driver.ensureHost('fra-epyc');
  assert.deepEqual(seeds(), []);
  done(await driver.ensureAbsent(wanted));
});

test("upkeep removes seeds without a machine, and those that were never put in, and nobody else's media", async () => {
  const wanted = simulator.wanted();
  done(await driver.ensureMachine(wanted));
  const [machine] = simulator.machinesOf(wanted.serverId);
  const [local] = cluster.storages;
  const add = (name: string) =>
    cluster.addVolume(local ?? assert.fail(), 'pve1', {
      volid: `local:iso/${name}`,
      content: 'iso',
      vmid: null,
      size: 1,
    });
  add('hostkeep-hostkeep-123456789-0.iso');
  add(`hostkeep-hostkeep-${machine?.vmid}-7.iso`);
  add('hostkeep-other-123456789-0.iso');
  add('debian-13.iso');
  simulator.diskOf(wanted).agent = false;
  await driver.ensureHost('fra-epyc');
  await cluster.tasks.idle();
  assert.equal(seeds().includes('local:iso/hostkeep-hostkeep-123456789-0.iso'), false);
  assert.equal(seeds().includes(`local:iso/hostkeep-hostkeep-${machine?.vmid}-7.iso`), true);
  cluster.pass(3600);
  await driver.ensureHost('fra-epyc');
  done(await driver.ensureAbsent(wanted));
  await cluster.tasks.idle();
  assert.deepEqual(seeds().toSorted(), [
    'local:iso/debian-13.iso',
    'local:iso/hostkeep-other-123456789-0.iso',
  ]);
});

test('a password by the guest agent arrives as a hash, once for each revision; without an agent it is refused', async () => {
  const wanted = simulator.wanted();
  done(await driver.ensureMachine(wanted));
  const { username } = wanted;
  const change = (password: string, revision: number) =>
    driver.ensurePassword(wanted, { username, password, revision, method: 'guest_agent' });
  assert.deepEqual(done(await change('another horse battery', 1)), { requiresReboot: false });
  assert.equal(simulator.logsIn(wanted, username, 'another horse battery'), true);
  done(await change('a later horse battery', 1));
  assert.equal(simulator.logsIn(wanted, username, 'another horse battery'), true);
  simulator.diskOf(wanted).agent = false;
  assert.equal((await change('a third horse battery', 2)).kind, 'refused');
  done(await driver.ensureAbsent(wanted));
});
