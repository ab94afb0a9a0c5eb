// Needs: images

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localExecutor } from '../../../host/local.ts';
import { packDisk, writeDisk } from './disk.ts';
import { bootMenu } from './tree.ts';

const SECTOR = 512;
const directory = await mkdtemp(join(tmpdir(), 'disk-'));
after(() => rm(directory, { recursive: true, force: true }));
const [tree, disk, fileSystem] = [join(directory, 'tree'), join(directory, 'disk.raw'), randomUUID()];
await mkdir(join(tree, 'boot/grub'), { recursive: true });
await writeFile(join(tree, 'boot/grub/grub.cfg'), bootMenu(fileSystem));
await writeDisk(localExecutor('qemu'), tree, disk, fileSystem);

interface Partition {
  readonly node: string;
  readonly start: number;
  readonly size: number;
  readonly type: string;
}

function run(program: string, ...given: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, given, {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

const { partitiontable } = JSON.parse(run('sfdisk', '--json', disk)) as {
  partitiontable: { label: string; partitions: Partition[] };
};
const [grub, root] = [14, 1].map(
  (number) => partitiontable.partitions.find(({ node }) => node.endsWith(`raw${number}`)) ?? assert.fail(),
);

async function bytes(at: number, length: number): Promise<Buffer> {
  const file = await open(disk);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  await file.close();
  return buffer;
}

test('the root partition is the first by its number and the last by its place, so that it can grow', () => {
  assert.equal(partitiontable.label, 'gpt');
  assert.ok((root?.start ?? 0) > (grub?.start ?? 0));
  run('sfdisk', '--verify', disk);
});

test('the boot sector leads to the image of GRUB, and its first sector to the rest', async () => {
  const start = grub?.start ?? 0;
  assert.equal((await bytes(92, 8)).readBigUInt64LE(), BigInt(start));
  const first = await bytes(start * SECTOR, SECTOR);
  // Its last twelve bytes say where the next sectors are, how many, and where they go in memory.
  assert.equal(first.readBigUInt64LE(SECTOR - 12), BigInt(start + 1));
  const sectors = first.readUInt16LE(SECTOR - 4);
  assert.ok(sectors > 0 && sectors < (grub?.size ?? 0), `${sectors}`);
  assert.deepEqual(await bytes(510, 2), Buffer.from([0x55, 0xaa]));
});

test('the file system has the id that the kernel is told, is sound, and belongs to root', async () => {
  const alone = `${disk}?offset=${(root?.start ?? 0) * SECTOR}`;
  run('e2fsck', '-fn', alone);
  assert.match(run('dumpe2fs', '-h', alone), new RegExp(`Filesystem UUID: +${fileSystem}`));
  const menu = run('debugfs', '-R', 'cat /boot/grub/grub.cfg', alone);
  assert.match(menu, new RegExp(`^linux /vmlinuz root=UUID=${fileSystem} ro `));
  assert.match(run('debugfs', '-R', 'stat /', alone), /User: +0 +Group: +0/);
});

test('the image has the checksum that is told, needs no other file and is nothing but the disk', async () => {
  const image = join(directory, 'image.qcow2');
  const sha256 = await packDisk(localExecutor('qemu'), disk, image);
  assert.equal(run('sha256sum', image).slice(0, 64), sha256);
  const info = JSON.parse(run('qemu-img', 'info', '--output=json', image));
  assert.deepEqual(
    [info.format, info['virtual-size'], info['backing-filename']],
    ['qcow2', 2 ** 31, undefined],
  );
  run('qemu-img', 'compare', '-q', '-f', 'raw', '-F', 'qcow2', disk, image);
});
