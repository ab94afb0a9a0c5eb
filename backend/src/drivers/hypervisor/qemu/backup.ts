import { script } from '../../host/executor.ts';
import { type Machine, Refused } from './machine.ts';
import type { Node } from './node.ts';
import { uidOf } from './node.ts';
import { diskPath, removeSnapshot, takeSnapshot } from './snapshot.ts';

const COPY_MS = 6 * 3600 * 1000;

function backupPath(node: Node, serverId: string, backupId: string): string {
  const { backups } = node.settings;
  if (backups === undefined) throw new Refused(`${node.name} has nowhere to keep backups`);
  return `${backups}/${serverId}/${backupId}.qcow2`;
}

const SIZE = 'stat -c %s "$1" 2>/dev/null || echo -';
// Of a snapshot nothing changes any more, so it can be read beside the machine that writes to the disk.
const COPY = `umask 077
mkdir -p "$(dirname "$3")"
qemu-img convert -U -q -f qcow2 -l "snapshot.name=$2" -O qcow2 -c "$1" "$3.new"
sync "$3.new"
mv -fT "$3.new" "$3"`;

/** Copies the disk to where backups are; its size there. */
export async function takeBackup(machine: Machine, backupId: string): Promise<number> {
  const { node, serverId } = machine;
  const { record } = await machine.found();
  const path = backupPath(node, serverId, backupId);
  const size = async () => Number((await node.sh(SIZE, path)).trim());
  const there = await size();
  if (!Number.isNaN(there)) {
    await removeSnapshot(machine, backupId);
    return there;
  }
  await takeSnapshot(machine, backupId);
  const copy = script(COPY, diskPath(machine, record), backupId, path);
  const { code, stderr } = await node.executor.run(copy, { deadlineMs: COPY_MS });
  if (code !== 0) throw new Error(`the backup could not be written: ${stderr.trim()}`);
  await removeSnapshot(machine, backupId);
  return await size();
}

export async function removeBackup(machine: Machine, backupId: string): Promise<null> {
  const path = backupPath(machine.node, machine.serverId, backupId);
  await machine.node.command(['rm', '-f', path, `${path}.new`]);
  return await removeSnapshot(machine, backupId);
}

const RESTORE = `umask 077
qemu-img convert -q -f qcow2 -O qcow2 "$1" "$2.new"
qemu-img resize -q -f qcow2 "$2.new" "$3G"
chown "$4:$4" "$2.new"
sync "$2.new"
mv -fT "$2.new" "$2"`;

export async function restoreBackup(machine: Machine, backupId: string, restoreId: string): Promise<null> {
  const { node, serverId } = machine;
  const { record, process } = await machine.found();
  if (record.restores.includes(restoreId)) return null;
  if (process !== null) throw new Refused('the machine is on');
  const path = backupPath(node, serverId, backupId);
  if ((await node.sh(SIZE, path)).trim() === '-') throw new Refused('there is no such backup');
  const given = [path, diskPath(machine, record), String(record.disk), String(uidOf(serverId))];
  const { code, stderr } = await node.executor.run(script(RESTORE, ...given), { deadlineMs: COPY_MS });
  if (code !== 0) throw new Error(`the backup could not be read: ${stderr.trim()}`);
  await machine.record({ ...record, restores: [...record.restores, restoreId].slice(-50) }, record);
  return null;
}

/** All backups of a machine that is removed. */
export async function removeBackups({ node, serverId }: Machine): Promise<void> {
  const { backups } = node.settings;
  if (backups !== undefined) await node.command(['rm', '-rf', `${backups}/${serverId}`]);
}
