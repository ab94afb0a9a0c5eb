import { script } from '../../host/executor.ts';
import type { Seed } from './cloud-init.ts';
import type { Machine } from './machine.ts';
import { type Node, uidOf } from './node.ts';
import type { MachineRecord } from './record.ts';

const WRITE = `cd "$1"
umask 077
rm -rf seed.new
mkdir seed.new
head -c "$3" >seed.new/meta-data
head -c "$4" >seed.new/user-data
head -c "$5" >seed.new/vendor-data
cat >seed.new/network-config
genisoimage -quiet -output seed.iso.new -volid cidata -joliet -rational-rock -input-charset utf-8 seed.new
rm -r seed.new
chown "$2:$2" seed.iso.new
chmod 0400 seed.iso.new
sync seed.iso.new
mv -fT seed.iso.new seed.iso`;

/** Puts another seed in, for the next start. */
export async function changeSeed({ node }: Machine, record: MachineRecord, seed: Seed): Promise<void> {
  await writeSeed(node, record.serverId, seedDirectory(node, record), seed);
}

export async function writeSeed(node: Node, serverId: string, directory: string, seed: Seed): Promise<void> {
  const parts = [seed.metaData, seed.userData, seed.vendorData, seed.networkConfig];
  const sizes = parts.slice(0, -1).map((text) => String(Buffer.byteLength(text)));
  const owner = String(uidOf(serverId));
  await node.command(script(WRITE, directory, owner, ...sizes), parts.join(''));
}

/** Has a running machine see the seed that is there now. */
export async function insertSeed(machine: Machine, record: MachineRecord): Promise<void> {
  await machine.command((qmp) =>
    qmp.execute('blockdev-change-medium', {
      id: 'seed',
      filename: `${seedDirectory(machine.node, record)}/seed.iso`,
      format: 'raw',
      force: true,
      'read-only-mode': 'read-only',
    }),
  );
}

/** Takes the seed out of the machine, and removes it. */
export async function removeSeed(machine: Machine, record: MachineRecord): Promise<void> {
  await machine.command((qmp) => qmp.execute('eject', { id: 'seed', force: true }));
  await machine.node.command(['rm', '-f', `${seedDirectory(machine.node, record)}/seed.iso`]);
}

/** Where the seed is of the system that the machine starts from. */
export function seedDirectory(node: Node, { serverId, generation, rescue }: MachineRecord): string {
  const directory = `${node.directory(serverId)}/${generation}`;
  return rescue === null ? directory : `${directory}/rescue`;
}
