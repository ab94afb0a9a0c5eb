// Needs: images
// Slow: 210 s

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { done } from '../../../../../test/contracts/hypervisor.ts';
import { openQemuNode } from '../../../../../test/qemu-node.ts';
import { until } from '../../../../../test/until.ts';
import { localExecutor } from '../../../host/local.ts';
import type { MachineRef } from '../../port.ts';
import { addImage } from '../image.ts';
import { Machine } from '../machine.ts';
import { buildImage, buildProblem } from './build.ts';
import { DISTRIBUTIONS, MIRRORS } from './distribution.ts';

const host = await openQemuNode();
after(host.close);
const executor = localExecutor('qemu');

/** A whole Debian starts on emulated processors, perhaps beside other machines. */
const STARTED_MS = 900_000;
const PASSWORD = 'correct horse battery';
/** What a seed's own script writes at the end of the first start. */
const REPORTED = 'started';

test('an image that is built here starts, is who its seed says, lets its user in, and is the same at its next start', async () => {
  assert.equal(await buildProblem(executor), null);
  const distribution = DISTRIBUTIONS.get('debian-12') ?? assert.fail();
  const output = `${host.node.settings.state}/built.qcow2`;
  const steps: string[] = [];
  const tell = (step: string) => void steps.push(step);
  const sha256 = await buildImage(executor, { distribution, mirrors: MIRRORS, output, tell });
  assert.equal(steps.length, 4);
  assert.equal((await addImage(host.node, 'debian-12', output, sha256)).sha256, sha256);

  const wanted = host.wanted({
    serverId: randomUUID(),
    image: 'debian-12',
    hostname: 'built.example.com',
    username: 'debian',
    password: PASSWORD,
    memory: 512,
    disk: 4,
  });
  done(await host.driver.ensureMachine(wanted));
  await prompted(wanted);
  // Of the first start the driver hears at its end; then the guest agent answers, too.
  await holds(async () => (await read(wanted, 'boot')).includes(REPORTED));
  const status = await host.driver.status(wanted, 10_000);
  assert.match(status?.guestAgent?.osName ?? '', /Debian/);
  for (const own of [wanted.ipv4[0]?.address ?? '', '2001:db8:1000:b::1'])
    assert.ok(status?.guestAgent?.addresses.includes(own), own);
  const look =
    'hostname -f; df -BM --output=size / | tail -n 1; cat /etc/dpkg/dpkg.cfg.d/* 2>/dev/null | wc -c; sudo cat /etc/machine-id; cat /etc/ssh/*.pub | sha256sum';
  const first = await host.inMachine(wanted, PASSWORD, look);
  const [name, size, options] = first.stdout.trim().split('\n');
  assert.equal(name, 'built.example.com', first.stderr);
  assert.ok(Number.parseInt(size ?? '', 10) > 3_500, `the file system has ${size}`);
  assert.equal(options, '0', 'its dpkg has options that only the building was to have');

  await host.driver.ensureHost(wanted.host);
  done(await host.driver.ensurePower(wanted, 'stopped'));
  done(await host.driver.ensurePower(wanted, 'running'));
  await prompted(wanted);
  assert.equal((await host.inMachine(wanted, PASSWORD, look)).stdout, first.stdout);
});

/** Waits for the machine's prompt, with its name, on the serial line. */
async function prompted(machine: MachineRef): Promise<void> {
  let printed = '';
  await holds(async () => {
    printed += await read(machine, 'serial');
    return /Debian GNU\/Linux 12 built ttyS0.*login:/s.test(printed);
  });
}

/** What a machine wrote to one of its lines since it was read before. */
async function read({ serverId }: MachineRef, device: 'serial' | 'boot'): Promise<string> {
  const machine = new Machine(host.node, serverId, () => {});
  return String(await machine.ask((qmp) => qmp.execute('ringbuf-read', { device, size: 65_536 })));
}

async function holds(look: () => Promise<boolean>): Promise<void> {
  const held = async () => ((await look()) ? true : null);
  await until(held, () => 'it took too long', 500, STARTED_MS);
}
