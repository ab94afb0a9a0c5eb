import {
  boolean,
  type Call,
  type Endpoint,
  integer,
  node,
  nodeOf,
  onVm,
  optional,
  storage,
  vmid,
  vmidOf,
  vmTask,
} from '../endpoint.ts';
import { cloudInit, readSeed } from '../guest.ts';
import type { SimulatedMachine } from '../machine.ts';
import { died, wrongParameters } from '../refusal.ts';

const found = (call: Call): SimulatedMachine => call.cluster.machine(vmidOf(call), nodeOf(call));

/** Starts the system that is on the boot disk, with whatever medium is in the drives. */
function boot({ cluster }: Call, machine: SimulatedMachine): void {
  const { disk } = cluster.bootDisk(machine);
  for (const value of Object.values(machine.config)) {
    const volid = value.split(',')[0] ?? '';
    if (!value.includes('media=cdrom') || volid === 'none' || disk === undefined) continue;
    cloudInit(disk, readSeed(cluster.mustHaveVolume(volid, machine.node).bytes ?? Buffer.alloc(0)));
  }
}

function start(call: Call, machine: SimulatedMachine): void {
  machine.checkLock();
  if (machine.process !== null) throw died(`VM ${machine.vmid} already running`);
  Object.assign(machine.config, machine.pending);
  machine.pending = {};
  boot(call, machine);
  machine.process = { startedAt: call.cluster.now, paused: false, config: { ...machine.config } };
}

function off(machine: SimulatedMachine): void {
  machine.process = null;
  Object.assign(machine.config, machine.pending);
  machine.pending = {};
}

function mustRun(machine: SimulatedMachine): void {
  if (machine.process === null) throw died(`VM ${machine.vmid} not running`);
}

function power(
  action: string,
  _type: string,
  parameters: Endpoint['parameters'],
  code: (call: Call, machine: SimulatedMachine) => string,
): Endpoint {
  return {
    ...{ method: 'POST', path: `/nodes/{node}/qemu/{vmid}/status/${action}`, proxied: true },
    permissions: onVm('VM.PowerMgmt'),
    parameters: { node, vmid, skiplock: boolean, ...parameters },
    code(call) {
      if (call.values.skiplock === 1) throw wrongParameters({ skiplock: 'Only root may use this option.' });
      return code(call, found(call));
    },
  };
}

export const powerEndpoints: readonly Endpoint[] = [
  power('start', 'qmstart', { timeout: integer(0) }, (call, machine) => {
    machine.checkLock();
    return vmTask(call, 'qmstart', () => start(call, found(call)));
  }),
  power(
    'stop',
    'qmstop',
    { timeout: integer(0), keepActive: boolean, 'overrule-shutdown': boolean },
    (call) =>
      vmTask(call, 'qmstop', () => {
        const machine = found(call);
        machine.checkLock();
        off(machine);
      }),
  ),
  power('reset', 'qmreset', {}, (call, machine) => {
    mustRun(machine);
    return vmTask(call, 'qmreset', () => {
      const reset = found(call);
      reset.checkLock();
      mustRun(reset);
      boot(call, reset);
    });
  }),
  power(
    'shutdown',
    'qmshutdown',
    { timeout: integer(0), forceStop: boolean, keepActive: boolean },
    (call, machine) => {
      if (machine.process?.paused === true && call.values.forceStop !== 1)
        throw died('VM is paused - cannot shutdown');
      return vmTask(call, 'qmshutdown', () => {
        const asked = found(call);
        asked.checkLock();
        if (asked.process !== null && call.cluster.isDeaf(asked.vmid))
          throw died('VM quit/powerdown failed - got timeout');
        off(asked);
      });
    },
  ),
  power('reboot', 'qmreboot', { timeout: integer(0) }, (call, machine) => {
    if (machine.process?.paused === true) throw died('VM is paused - cannot shutdown');
    mustRun(machine);
    return vmTask(call, 'qmreboot', () => {
      const again = found(call);
      off(again);
      start(call, again);
    });
  }),
  power('suspend', 'qmpause', { todisk: boolean, statestorage: optional(storage) }, (call, machine) => {
    mustRun(machine);
    return vmTask(call, 'qmpause', () => {
      const { process } = found(call);
      if (process !== null) process.paused = true;
    });
  }),
  power('resume', 'qmresume', { nocheck: boolean }, (call, machine) => {
    mustRun(machine);
    return vmTask(call, 'qmresume', () => {
      const { process } = found(call);
      if (process !== null) process.paused = false;
    });
  }),
];
