import {
  boolean,
  type Call,
  type Endpoint,
  node,
  nodeOf,
  onVm,
  snapname,
  text,
  vmid,
  vmidOf,
  vmTask,
} from '../endpoint.ts';
import { copyDisk, type Disk, type SimulatedMachine } from '../machine.ts';
import { died } from '../refusal.ts';

const found = (call: Call): SimulatedMachine => call.cluster.machine(vmidOf(call), nodeOf(call));
const named = (call: Call): string => String(call.values.snapname);

function copies({ cluster }: Call, machine: SimulatedMachine): Map<string, Disk> {
  return new Map(
    machine.drives().flatMap(([, volid]) => {
      const { disk } = cluster.mustHaveVolume(volid, machine.node);
      return disk === undefined ? [] : [[volid, copyDisk(disk)] as const];
    }),
  );
}

/** A configuration without what belongs to this moment alone. */
function kept({ config }: SimulatedMachine): Record<string, string> {
  const { lock: _lock, description: _description, parent: _parent, ...rest } = config;
  return rest;
}

export const snapshotEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/nodes/{node}/qemu/{vmid}/snapshot',
    permissions: onVm('VM.Audit'),
    parameters: { node, vmid },
    proxied: true,
    code: (call) => [
      ...[...found(call).snapshots].map(([name, { snaptime, description }]) => ({
        name,
        snaptime,
        description,
        vmstate: 0,
      })),
      { name: 'current', description: 'You are here!', running: found(call).process === null ? 0 : 1 },
    ],
  },
  {
    method: 'POST',
    path: '/nodes/{node}/qemu/{vmid}/snapshot',
    permissions: onVm('VM.Snapshot'),
    parameters: { node, vmid, snapname, vmstate: boolean, description: text },
    proxied: true,
    code(call) {
      found(call);
      const name = named(call);
      if (name === 'current') throw died("unable to use snapshot name 'current' (reserved name)");
      return vmTask(
        call,
        'qmsnapshot',
        () => {
          const machine = found(call);
          machine.snapshots.set(name, {
            ...{ config: kept(machine), disks: copies(call, machine) },
            ...{ snaptime: call.cluster.now, description: String(call.values.description ?? '') },
          });
          delete machine.config.lock;
        },
        {
          begin() {
            const machine = found(call);
            machine.checkLock();
            if (machine.snapshots.has(name)) throw died(`snapshot name '${name}' already used`);
            machine.config.lock = 'snapshot';
          },
        },
      );
    },
  },
  {
    method: 'DELETE',
    path: '/nodes/{node}/qemu/{vmid}/snapshot/{snapname}',
    permissions: onVm('VM.Snapshot'),
    parameters: { node, vmid, snapname, force: boolean },
    proxied: true,
    code: (call) =>
      vmTask(call, 'qmdelsnapshot', () => {
        const machine = found(call);
        machine.checkLock();
        if (!machine.snapshots.delete(named(call))) throw died(`snapshot '${named(call)}' does not exist`);
      }),
  },
  {
    method: 'POST',
    path: '/nodes/{node}/qemu/{vmid}/snapshot/{snapname}/rollback',
    permissions: onVm('VM.Snapshot'),
    parameters: { node, vmid, snapname, start: boolean },
    proxied: true,
    code: (call) =>
      vmTask(call, 'qmrollback', () => {
        const machine = found(call);
        machine.checkLock();
        const snapshot = machine.snapshots.get(named(call));
        if (snapshot === undefined) throw died(`snapshot '${named(call)}' does not exist`);
        const { description } = machine.config;
        machine.process = null;
        machine.config = {
          ...snapshot.config,
          parent: named(call),
          ...(description === undefined ? {} : { description }),
        };
        for (const [volid, disk] of snapshot.disks)
          call.cluster.mustHaveVolume(volid, machine.node).disk = copyDisk(disk);
      }),
  },
];
