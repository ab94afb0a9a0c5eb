import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { script } from '../../host/executor.ts';
import type { Node } from './node.ts';

/** A base image of a node, by the name that orders use. */
export interface Image {
  readonly sha256: string;
  /** What a disk of it must have at least, in bytes. */
  readonly virtualSize: number;
}

const StoredImage = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), virtualSize: z.int() });
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

const READ = 'cat "$1/names/$2" 2>/dev/null || true';

/** null: the node has no image of this name. */
export async function findImage(node: Node, name: string): Promise<Image | null> {
  if (!NAME.test(name)) return null;
  const text = await node.sh(READ, node.images, name);
  return text === '' ? null : StoredImage.parse(JSON.parse(text));
}

export function imagePath(node: Node, { sha256 }: Pick<Image, 'sha256'>): string {
  return `${node.images}/${sha256}.qcow2`;
}

/** An image was refused: it is not what it was said to be, or reaches beyond itself. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

const ImageInfo = z.object({
  'virtual-size': z.int(),
  format: z.string(),
  'backing-filename': z.string().optional(),
  'full-backing-filename': z.string().optional(),
  encrypted: z.boolean().optional(),
  'format-specific': z.object({ data: z.object({ 'data-file': z.string().optional() }) }).optional(),
});

const PREPARE = 'install -d -m 0711 "$1" "$1/images" "$1/images/names" "$1/machines"; sha256sum <"$2"';
// The format is said and not guessed: a guest writes what qemu-img would guess from.
const INFO = 'qemu-img info --output=json -f qcow2 "$1"';
const FLATTEN = `umask 077
new=$1/$2.new
qemu-img convert -f qcow2 -O qcow2 "$3" "$new"
chmod 0444 "$new"
sync "$new"
mv -fT "$new" "$1/$2.qcow2"`;

/**
 * Adds a file that is on the node under a name, or gives the name to it from now on: machines that were made from
 * another keep theirs. Refuses what is not a qcow2 image with this checksum, or leads to other files (rule G4).
 */
export async function addImage(node: Node, name: string, file: string, sha256: string): Promise<Image> {
  if (!NAME.test(name)) throw new ImageRefused(`${name} cannot be the name of an image`);
  const sum = (await node.sh(PREPARE, node.settings.state, file)).slice(0, 64);
  if (sum !== sha256) throw new ImageRefused(`the file's SHA-256 is ${sum}`);
  const { code, stdout, stderr } = await node.executor.run(script(INFO, file));
  if (code !== 0) throw new ImageRefused(`it is not a qcow2 image: ${stderr.trim()}`);
  const info = ImageInfo.parse(JSON.parse(stdout));
  if (info['backing-filename'] !== undefined || info['full-backing-filename'] !== undefined)
    throw new ImageRefused('it has a backing file');
  if (info['format-specific']?.data['data-file'] !== undefined) throw new ImageRefused('it has a data file');
  if (info.encrypted === true) throw new ImageRefused('it is encrypted');
  const image: Image = { sha256, virtualSize: info['virtual-size'] };
  await node.locked('images', async (locked) => {
    await locked.sh(FLATTEN, node.images, sha256, file);
    await locked.write(`${node.images}/names/${name}`, `${JSON.stringify(image)}\n`);
  });
  return image;
}

// What is being made holds the name of its image, too.
const REMOVE = `cd "$1"
if grep -qsF "\\"image\\":\\"$2\\"" machines/*/*/machine.json; then exit 3; fi
if grep -qsF "\\"sha256\\":\\"$2\\"" images/names/*; then exit 4; fi
rm -f "images/$2.qcow2"`;

/** Removes the file of an image that has no name any more. Refused as long as a machine's disk needs it. */
export async function removeImage(node: Node, sha256: string): Promise<void> {
  await node.locked('images', async (locked) => {
    const { code } = await locked.executor.run(script(REMOVE, node.settings.state, sha256));
    if (code === 3) throw new ImageRefused('a machine needs it');
    if (code === 4) throw new ImageRefused('it has a name');
    if (code !== 0) throw new ImageRefused('it could not be removed');
  });
}

/** Takes a name away: no more machines are made from it. */
export async function forgetImage(node: Node, name: string): Promise<void> {
  if (NAME.test(name)) await node.command(['rm', '-f', `${node.images}/names/${name}`]);
}

const RECEIVE = 'install -d -m 0711 "$1" "$1/images"; umask 077; cat >"$2"';

/** Adds an image from a file of this machine to a node that may be another. */
export async function uploadImage(node: Node, name: string, file: string, sha256: string): Promise<Image> {
  const path = `${node.images}/${randomUUID()}.upload`;
  const receiver = node.executor.open(script(RECEIVE, node.settings.state, path));
  receiver.resume();
  try {
    await pipeline(createReadStream(file), receiver);
    await finished(receiver, { writable: false });
    return await addImage(node, name, path, sha256);
  } finally {
    await node.command(['rm', '-f', path]);
  }
}
