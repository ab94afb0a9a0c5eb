import { script } from '../../host/executor.ts';
import type { Seed } from './cloud-init.ts';
import { type Image, imagePath } from './image.ts';
import { type Node, uidOf } from './node.ts';
import type { MachineRecord } from './record.ts';

// A generation is a directory that gets its name when it is complete (rule G1). The seed holds hashes, no passwords; the
// files that it is made of are gone when its image is there.
const BUILD = `directory=$1 generation=$2 base=$3 size=$4 owner=$5; shift 5
umask 077
[ -r "$base" ] || { echo 'the image is gone' >&2; exit 1; }
install -d -m 0711 "$directory"
new=$directory/$generation.new
rm -rf "$new"
install -d -m 0711 "$new"
cd "$new"
mkdir seed
head -c "$1" >machine.json
head -c "$2" >seed/meta-data
head -c "$3" >seed/user-data
head -c "$4" >seed/vendor-data
cat >seed/network-config
genisoimage -quiet -output seed.iso -volid cidata -joliet -rational-rock -input-charset utf-8 seed
rm -r seed
qemu-img create -q -f qcow2 -F qcow2 -b "$base" disk.qcow2 "$size"G
chown "$owner:$owner" seed.iso disk.qcow2
chmod 0400 seed.iso
sync machine.json seed.iso disk.qcow2 .`;

/** Makes a disk and a seed for a generation, beside what is there. */
export async function buildGeneration(
  node: Node,
  record: MachineRecord,
  image: Image,
  seed: Seed,
): Promise<void> {
  const json = `${JSON.stringify(record)}\n`;
  const parts = [json, seed.metaData, seed.userData, seed.vendorData, seed.networkConfig];
  const sizes = parts.slice(0, -1).map((text) => String(Buffer.byteLength(text)));
  const given = [
    ...[node.directory(record.serverId), String(record.generation), imagePath(node, image)],
    ...[String(record.disk), String(uidOf(record.serverId)), ...sizes],
  ];
  await node.command(script(BUILD, ...given), parts.join(''));
}

/** From here on the machine is of this generation: one renaming. */
export async function commitGeneration(node: Node, { serverId, generation }: MachineRecord): Promise<void> {
  const path = `${node.directory(serverId)}/${generation}`;
  await node.sh('mv -T "$1.new" "$1"; sync "$2"', path, node.directory(serverId));
}

const REMOVE_OTHERS = `cd "$1"
for found in [0-9]*; do
  [ "$found" = "$2" ] || rm -rf "./$found"
done`;

/** Whatever is left of other generations, and of attempts at this one. */
export async function removeOtherGenerations(
  node: Node,
  { serverId, generation }: Pick<MachineRecord, 'serverId' | 'generation'>,
): Promise<void> {
  await node.sh(REMOVE_OTHERS, node.directory(serverId), String(generation));
}

export async function writeRecord(node: Node, record: MachineRecord): Promise<void> {
  const path = `${node.directory(record.serverId)}/${record.generation}/machine.json`;
  await node.write(path, `${JSON.stringify(record)}\n`);
}

// Renamed first: a machine that is half removed is none.
const REMOVE = `state=$1 id=$2
mkdir -p "$state/removed"
[ ! -e "$state/machines/$id" ] || { rm -rf "$state/removed/$id"; mv -T "$state/machines/$id" "$state/removed/$id"; }
rm -rf "$state/removed/$id"`;

/** Removes everything of a machine that is on the node but its backups. */
export async function removeFiles(node: Node, serverId: string): Promise<void> {
  await node.sh(REMOVE, node.settings.state, serverId);
}
