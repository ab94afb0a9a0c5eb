// Slow: 20 s

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { until } from '../../../../test/until.ts';
import { ImageRefused } from './image.ts';
import { Machine } from './machine.ts';
import { uploadMedium } from './medium.ts';

const GREETING = 'started from the medium';

// What a BIOS loads to 0x7c00 and runs: writes the text behind it to the serial line, and stands still.
const PROGRAM = Buffer.from('0e1fbaf803be137cac08c07403eeebf8f4ebfd', 'hex');

const directory = mkdtempSync(join(tmpdir(), 'medium-'));
const host = await openQemuNode();
after(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A medium that machines can start from (El Torito), and its checksum. */
function bootable(): { path: string; sha256: string } {
  const [content, path] = [join(directory, 'content'), join(directory, 'medium.iso')];
  execFileSync('mkdir', ['-p', content]);
  writeFileSync(join(content, 'boot.bin'), Buffer.concat([PROGRAM, Buffer.from(`${GREETING}\0`)], 2048));
  const boot = ['-b', 'boot.bin', '-no-emul-boot', '-boot-load-size', '4'];
  execFileSync('genisoimage', ['-quiet', '-output', path, ...boot, content]);
  return { path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

const { path, sha256 } = bootable();

/** Waits until the serial line shows one of two texts; which. */
async function shows(serverId: string, one: string, other: string): Promise<string> {
  const machine = new Machine(host.node, serverId, () => {});
  let text = '';
  const look = async () => {
    text += await machine.ask((qmp) => qmp.execute('ringbuf-read', { device: 'serial', size: 65_536 }));
    return [one, other].find((found) => text.includes(found));
  };
  return await until(look, () => `neither: ${text.slice(-500)}`, 100);
}

test('another file than was said is no medium', async () => {
  await assert.rejects(uploadMedium(host.node, path, '0'.repeat(64)), ImageRefused);
  const { stdout } = await host.node.executor.run(['ls', `${host.node.settings.state}/media`]);
  assert.equal(stdout, '');
});

test('a machine starts from the medium or from its disk, as it was told before its start', async () => {
  await uploadMedium(host.node, path, sha256);
  const wanted = host.wanted({ serverId: randomUUID(), power: 'stopped' });
  done(await host.driver.ensureMachine(wanted));
  const put = (bootFirst: boolean) => host.driver.ensureMedium(wanted, { name: 'medium', sha256, bootFirst });
  const seen = () => shows(wanted.serverId, GREETING, 'login:');
  done(await put(true));
  done(await host.driver.ensurePower(wanted, 'running'));
  assert.equal(await seen(), GREETING);
  done(await put(false));
  done(await host.driver.ensureRebooted(wanted, 1, 'reset'));
  assert.equal(await seen(), 'login:');
  done(await put(true));
  done(await host.driver.ensureRebooted(wanted, 2, 'reset'));
  assert.equal(await seen(), GREETING);
  done(await host.driver.ensureMedium(wanted, null));
  done(await host.driver.ensureRebooted(wanted, 3, 'reset'));
  assert.equal(await seen(), 'login:');
});
