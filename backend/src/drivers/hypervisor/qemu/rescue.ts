import type { WantedRescue } from '../port.ts';
import { seedOf } from './cloud-init.ts';
import { findImage, imagePath } from './image.ts';
import { hashed, isPassword } from './login.ts';
import { type Machine, Refused } from './machine.ts';
import { uidOf } from './node.ts';
import type { MachineRecord } from './record.ts';
import { writeSeed } from './seed-medium.ts';

const BUILD = `new=$1 base=$2 owner=$3
umask 077
[ -r "$base" ] || { echo 'the image is gone' >&2; exit 1; }
rm -rf "$new"
install -d -m 0711 "$new"
qemu-img create -q -f qcow2 -F qcow2 -b "$base" "$new/disk.qcow2"
chown "$owner:$owner" "$new/disk.qcow2"
sync "$new/disk.qcow2"`;

/**
 * Has a machine that is off start from another system, or from its own (null). What its record says is what it starts
 * from: the other system is there before that is written, and goes after it was.
 */
export async function setRescue(machine: Machine, wanted: WantedRescue | null): Promise<null> {
  const { node } = machine;
  const { record, process } = await machine.found();
  const path = `${node.directory(record.serverId)}/${record.generation}/rescue`;
  const isThere = record.rescue?.rescueId === wanted?.rescueId;
  if (isThere && wanted !== null) return null;
  if (!isThere && process !== null) throw new Refused('the machine is on');
  if (wanted === null) {
    await machine.record({ ...record, rescue: null }, record);
    // Also what a run before this one left.
    await node.command(['rm', '-rf', path, `${path}.new`]);
    return null;
  }
  const image = await build(machine, record, wanted, `${path}.new`);
  await node.sh('rm -rf "$1"; mv -T "$1.new" "$1"; sync "$2"', path, node.directory(record.serverId));
  await machine.record({ ...record, rescue: { rescueId: wanted.rescueId, image } }, record);
  return null;
}

/** Makes disk and seed of the other system; its image's digest. */
async function build(
  { node }: Machine,
  record: MachineRecord,
  { image: name, username, password, sshKeys }: WantedRescue,
  directory: string,
): Promise<string> {
  const image = await findImage(node, name);
  if (image === null) throw new Refused(`${node.name} has no image ${name}`);
  if (password !== null && !isPassword(password))
    throw new Refused('the password cannot be typed at a prompt');
  const passwordHash = password === null ? null : await hashed(node, password);
  const { resolvers } = node.settings.network;
  const login = { username, passwordHash, sshKeys };
  const seed = seedOf({ machine: record, login, userData: null, passwordRevision: 0, resolvers });
  await node.sh(BUILD, directory, imagePath(node, image), String(uidOf(record.serverId)));
  await writeSeed(node, record.serverId, directory, seed);
  return image.sha256;
}
