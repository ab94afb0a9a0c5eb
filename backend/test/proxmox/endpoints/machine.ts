import { boolean, digest, type Endpoint, node, nodeOf, onVm, vmid, vmidOf, vmTask } from '../endpoint.ts';
import { bytesOf, type SimulatedMachine, sizeOf, sizeText } from '../machine.ts';
import { died, wrongParameters } from '../refusal.ts';

import { CONFIG } from './config.ts';

export const machineEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/nodes/{node}/qemu',
    permissions: [],
    parameters: { node, full: boolean },
    proxied: true,
    code: (call) =>
      [...call.cluster.machines.values()]
        .filter((one) => one.node === nodeOf(call))
        .map((one) => ({
          ...call.cluster.figures(one),
          ...(call.values.full === 1 ? { qmpstatus: runState(one) } : {}),
        })),
  },
  {
    method: 'GET',
    path: '/nodes/{node}/qemu/{vmid}/status/current',
    permissions: onVm('VM.Audit'),
    parameters: { node, vmid },
    proxied: true,
    code(call) {
      const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
      return {
        ...call.cluster.figures(machine),
        qmpstatus: runState(machine),
        ha: { managed: 0 },
        ...(machine.config.agent === undefined ? {} : { agent: 1 }),
      };
    },
  },
  {
    method: 'GET',
    path: '/nodes/{node}/qemu/{vmid}/rrddata',
    permissions: onVm('VM.Audit'),
    parameters: {
      ...{ node, vmid, cf: { type: 'string', enum: ['AVERAGE', 'MAX'], optional: true } },
      timeframe: { type: 'string', enum: ['hour', 'day', 'week', 'month', 'year', 'decade'] },
    },
    proxied: true,
    code(call) {
      const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
      const { cpu, maxmem } = call.cluster.figures(machine);
      return [{ time: call.cluster.now - 60 }, { time: call.cluster.now, cpu, maxmem }];
    },
  },
  {
    method: 'DELETE',
    path: '/nodes/{node}/qemu/{vmid}',
    permissions: onVm('VM.Allocate'),
    parameters: { node, vmid, purge: boolean, 'destroy-unreferenced-disks': boolean, skiplock: boolean },
    proxied: true,
    code(call) {
      const { cluster, values } = call;
      const machine = cluster.machine(vmidOf(call), nodeOf(call));
      const ready = () => {
        if (values.skiplock === 1) throw wrongParameters({ skiplock: 'Only root may use this option.' });
        machine.checkLock();
        if (machine.config.protection === '1')
          throw died(`can't remove VM ${machine.vmid} - protection mode enabled`);
        if (machine.process !== null) throw died(`VM ${machine.vmid} is running - destroy failed`);
      };
      ready();
      return vmTask(call, 'qmdestroy', () => {
        ready();
        for (const { volumes } of cluster.storages)
          for (const { volid, vmid: owner, content } of [...volumes])
            if (owner === machine.vmid && content === 'images') cluster.removeVolume(volid, machine.node);
        cluster.machines.delete(machine.vmid);
      });
    },
  },
  {
    method: 'PUT',
    path: '/nodes/{node}/qemu/{vmid}/resize',
    permissions: onVm('VM.Config.Disk'),
    parameters: {
      ...{ node, vmid, digest, skiplock: boolean },
      disk: {
        type: 'string',
        enum: Object.keys(CONFIG).filter((name) => /^(scsi|virtio|sata|ide)\d+$/.test(name)),
      },
      size: { type: 'string', pattern: /^\+?\d+(\.\d+)?[KMGT]?$/ },
    },
    proxied: true,
    code: (call) =>
      vmTask(call, 'resize', () => {
        const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
        const name = String(call.values.disk);
        const size = bytesOf(String(call.values.size));
        machine.checkLock();
        const config = machine.config[name];
        if (config === undefined) throw died(`disk '${name}' does not exist`);
        if (size < sizeOf(config)) throw died('shrinking disks is not supported');
        const volume = call.cluster.mustHaveVolume(config.split(',')[0] ?? '', machine.node);
        volume.size = size;
        machine.config[name] = config.replace(/,size=[^,]+/, `,size=${sizeText(size)}`);
      }),
  },
  {
    method: 'POST',
    path: '/nodes/{node}/qemu/{vmid}/migrate',
    permissions: onVm('VM.Migrate'),
    parameters: { node, vmid, target: node, online: boolean, 'with-local-disks': boolean },
    proxied: true,
    code(call) {
      const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
      const target = String(call.values.target);
      if (machine.process !== null && call.values.online !== 1)
        throw died("can't migrate running VM without --online");
      machine.checkLock();
      return vmTask(
        call,
        'qmigrate',
        () => {
          for (const { volumes } of call.cluster.storages)
            for (const volume of volumes)
              if (volume.vmid === machine.vmid && volume.node !== null)
                Object.assign(volume, { node: target });
          machine.node = target;
          delete machine.config.lock;
        },
        { begin: () => Object.assign(machine.config, { lock: 'migrate' }) },
      );
    },
  },
];

export function runState({ process }: SimulatedMachine): string {
  if (process === null) return 'stopped';
  return process.paused ? 'paused' : 'running';
}
