import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Executor, script } from '../../../host/executor.ts';
import { packDisk, writeDisk } from './disk.ts';
import type { Distribution, Mirrors } from './distribution.ts';
import { configureTree, installTree } from './tree.ts';

const NEEDED = ['mmdebstrap', 'sfdisk', 'mke2fs', 'grub-mkimage', 'qemu-img'];
const LOOK = `[ "$(id -u)" = 0 ] || { echo 'it takes root, who owns the files of a system'; exit 0; }
for program; do command -v "$program" >/dev/null || { echo "$program is not installed"; exit 0; }; done
[ -e /usr/lib/grub/i386-pc/boot.img ] || echo 'grub-pc-bin is not installed'`;

/** What keeps images from being built here, or null. */
export async function buildProblem(executor: Executor): Promise<string | null> {
  const { stdout } = await executor.run(script(LOOK, ...NEEDED));
  return stdout.trim() === '' ? null : stdout.trim();
}

export interface ImageOrder {
  readonly distribution: Distribution;
  readonly mirrors: Mirrors;
  /** The file that is made, or replaced as a whole. */
  readonly output: string;
  /** Hears what is begun. */
  readonly tell: (step: string) => void;
}

/** Builds a qcow2 image that starts by itself and asks a NoCloud seed who it is; its SHA-256. */
export async function buildImage(
  executor: Executor,
  { distribution, mirrors, output, tell }: ImageOrder,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hostkeep-image-'));
  const [tree, disk, fileSystem] = [join(directory, 'tree'), join(directory, 'disk.raw'), randomUUID()];
  try {
    tell(`installing ${distribution.suite} from ${mirrors.archive}`);
    await installTree(executor, distribution, mirrors, tree);
    tell('configuring it');
    await configureTree(executor, tree, fileSystem);
    tell('writing it to a disk');
    await writeDisk(executor, tree, disk, fileSystem);
    tell('compressing the disk');
    return await packDisk(executor, disk, output);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
