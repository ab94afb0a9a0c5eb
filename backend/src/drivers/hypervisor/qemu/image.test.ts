import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import { addImage, findImage, forgetImage, ImageRefused, imagePath, removeImage } from './image.ts';

const host = await openQemuNode();
after(host.close);
const { state } = host.node.settings;
const sum = (path: string) => spawnSync('sha256sum', [path], { encoding: 'utf8' }).stdout.slice(0, 64);

/** An image that qemu-img makes of these arguments; its path. */
function made(...given: string[]): string {
  const path = `${state}/${randomUUID()}.img`;
  const { status, stderr } = spawnSync('qemu-img', [
    'create',
    '-q',
    ...given.slice(0, -1),
    path,
    given.at(-1) ?? '',
  ]);
  assert.equal(status, 0, String(stderr));
  return path;
}

const refused = (reason: RegExp) => (error: unknown) =>
  error instanceof ImageRefused && reason.test(error.message);

test('an image is known by its checksum, and another one is refused', async () => {
  const path = made('-f', 'qcow2', '16M');
  await assert.rejects(addImage(host.node, 'plain', path, '0'.repeat(64)), refused(/SHA-256/));
  assert.equal(await findImage(host.node, 'plain'), null);
  const image = await addImage(host.node, 'plain', path, sum(path));
  assert.deepEqual(await findImage(host.node, 'plain'), image);
  assert.deepEqual(image, { sha256: sum(path), virtualSize: 16 * 1024 * 1024 });
});

test('an image that leads to another file is refused: a backing file, a data file (rule G4)', async () => {
  const backed = made('-f', 'qcow2', '-F', 'raw', '-b', '/etc/shadow', '16M');
  await assert.rejects(addImage(host.node, 'backed', backed, sum(backed)), refused(/backing file/));
  const outside = made('-f', 'qcow2', '-o', `data_file=${state}/outside.raw,data_file_raw=on`, '16M');
  await assert.rejects(addImage(host.node, 'outside', outside, sum(outside)), refused(/data file/));
});

test('what is not a qcow2 image is refused, whatever it looks like', async () => {
  const raw = made('-f', 'raw', '16M');
  await assert.rejects(addImage(host.node, 'raw', raw, sum(raw)), refused(/not a qcow2/));
  await assert.rejects(addImage(host.node, '../outside', raw, sum(raw)), refused(/name/));
});

test('an image cannot be deleted while a name or a disk needs it, and then it can (rule G4)', async () => {
  const path = made('-f', 'qcow2', '17M');
  const image = await addImage(host.node, 'needed', path, sum(path));
  await assert.rejects(removeImage(host.node, image.sha256), refused(/name/));
  const wanted = host.wanted({ serverId: randomUUID(), image: 'needed', power: 'stopped' });
  done(await host.driver.ensureMachine(wanted));
  await forgetImage(host.node, 'needed');
  await assert.rejects(removeImage(host.node, image.sha256), refused(/machine/));
  done(await host.driver.ensureAbsent(wanted));
  await removeImage(host.node, image.sha256);
  assert.equal(existsSync(imagePath(host.node, image)), false);
  assert.equal((await host.driver.ensureMachine(wanted)).kind, 'refused');
});

test('a disk that is smaller than its image is refused', async () => {
  const path = made('-f', 'qcow2', '3G');
  await addImage(host.node, 'large', path, sum(path));
  const outcome = await host.driver.ensureMachine(
    host.wanted({ serverId: randomUUID(), image: 'large', disk: 2 }),
  );
  assert.equal(outcome.kind === 'refused' && outcome.reason, 'large needs a larger disk');
});
