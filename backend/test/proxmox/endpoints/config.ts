import { createHash } from 'node:crypto';
import {
  boolean,
  type Call,
  digest,
  type Endpoint,
  integer,
  node,
  nodeOf,
  onVm,
  optional,
  snapname,
  text,
  vmid,
  vmidOf,
  vmTask,
} from '../endpoint.ts';
import { copyDisk, type SimulatedMachine, sizeText } from '../machine.ts';
import { died, wrongParameters } from '../refusal.ts';
import type { Parameters, Property } from '../schema.ts';

const numbered = (name: string, count: number, property: Property): Parameters =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, optional(property)]));
const drive: Property = { type: 'string', format: 'pve-qm-drive' };

/** Options of a machine's configuration: those that somebody who makes servers could set, of some 150. */
export const CONFIG: Parameters = {
  ...{
    name: optional({ type: 'string', format: 'dns-name' }),
    description: optional({ type: 'string', maxLength: 8192 }),
  },
  tags: optional({ type: 'string', format: 'pve-tag-list' }),
  ...{ cores: integer(1), sockets: integer(1), vcpus: integer(1), cpu: text, cpuunits: integer(1) },
  cpulimit: { type: 'number', minimum: 0, maximum: 128, optional: true },
  ...{ memory: optional({ type: 'string', pattern: /^\d+$/ }), balloon: integer(0), shares: integer(0) },
  ...{
    onboot: boolean,
    agent: text,
    boot: text,
    ostype: text,
    machine: text,
    bios: text,
    scsihw: text,
    vga: text,
  },
  ...{
    serial0: text,
    hotplug: text,
    protection: boolean,
    startup: text,
    tablet: boolean,
    kvm: boolean,
    acpi: boolean,
  },
  ...{ ciuser: text, cipassword: text, citype: text, cicustom: text, ciupgrade: boolean, sshkeys: text },
  ...{ nameserver: text, searchdomain: text, ipconfig0: text, args: text, smbios1: text, template: boolean },
  ...numbered('net', 32, { type: 'string', format: 'pve-qm-net' }),
  ...numbered('scsi', 31, drive),
  ...numbered('virtio', 16, drive),
  ...numbered('sata', 6, drive),
  ...numbered('ide', 4, drive),
};

/** Options that a running machine takes at once; the others wait for its next start. */
const AT_ONCE = /^(name|description|tags|onboot|startup|protection|hotplug|shares|net\d+|ide\d+)$/;
const PRIVILEGES: readonly (readonly [RegExp, string])[] = [
  [/^(cores|sockets|vcpus|cpu|cpuunits|cpulimit)$/, 'VM.Config.CPU'],
  [/^(memory|balloon|shares)$/, 'VM.Config.Memory'],
  [/^net\d+$/, 'VM.Config.Network'],
  [/^(scsi|virtio|sata)\d+$/, 'VM.Config.Disk'],
  [/^ide\d+$/, 'VM.Config.CDROM'],
  [/^(ci.*|sshkeys|nameserver|searchdomain|ipconfig\d+)$/, 'VM.Config.Cloudinit'],
];

export function digestOf({ config, pending }: SimulatedMachine): string {
  return createHash('sha1')
    .update(JSON.stringify([config, pending]))
    .digest('hex');
}

function changeConfig(call: Call): void {
  const { cluster, values } = call;
  const machine = cluster.machine(vmidOf(call), nodeOf(call));
  const {
    node: _node,
    vmid: id,
    digest: expected,
    delete: deleted,
    background_delay: _delay,
    ...options
  } = values;
  const gone = String(deleted ?? '')
    .split(',')
    .filter((name) => name !== '');
  if (Object.keys(options).length + gone.length === 0) throw died('no options specified');
  for (const name of [...Object.keys(options), ...gone]) {
    if (name === 'args') throw died("only root can set 'args' config");
    const privilege = PRIVILEGES.find(([names]) => names.test(name))?.[1] ?? 'VM.Config.Options';
    call.check(`/vms/${id}`, [privilege]);
  }
  for (const name of gone)
    if (CONFIG[name] === undefined) throw wrongParameters({ delete: `unknown option '${name}'` });
  if (expected !== undefined && expected !== digestOf(machine))
    throw died('checksum mismatch (file change by other user?)');
  machine.checkLock();
  for (const [name, value] of Object.entries(options)) {
    if (name === 'boot') mustHaveDrives(machine, String(value), options);
    if (/^ide\d+$/.test(name)) {
      const volid = String(value).split(',')[0] ?? '';
      if (volid !== 'none' && volid !== 'cdrom') cluster.mustHaveVolume(volid, machine.node);
    }
    // Drives of this kind are there from the start; media are changed.
    const isAdded = /^ide\d+$/.test(name) && machine.process?.config[name] === undefined;
    if (machine.process === null || (AT_ONCE.test(name) && !isAdded))
      machine.config[name] = imported(call, machine, String(value));
    else if (machine.config[name] !== String(value)) machine.pending[name] = String(value);
    else delete machine.pending[name];
  }
  for (const name of gone) delete machine.config[name];
}

function mustHaveDrives(
  { config, pending }: SimulatedMachine,
  boot: string,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const drive of /^order=([^,]*)$/.exec(boot)?.[1]?.split(';') ?? [])
    if ((config[drive] ?? pending[drive] ?? given[drive]) === undefined)
      throw died(`invalid bootorder: device '${drive}' does not exist'`);
}

/** A drive whose volume is made as a copy of another, where its value says so. */
function imported(call: Call, machine: SimulatedMachine, value: string): string {
  const [, storage, from, rest = ''] = /^([^:]+):\d+,import-from=([^,]+)(.*)$/.exec(value) ?? [];
  if (storage === undefined || from === undefined) return value;
  const { cluster } = call;
  const source = cluster.mustHaveVolume(from, machine.node);
  call.check(`/storage/${storage}`, ['Datastore.AllocateSpace']);
  if (source.vmid !== null && source.vmid !== machine.vmid) call.check(`/vms/${source.vmid}`, ['VM.Clone']);
  const into = cluster.storage(storage, machine.node);
  const count = into.volumes.filter(({ vmid: owner }) => owner === machine.vmid).length;
  const { volid } = cluster.addVolume(into, machine.node, {
    ...{ volid: `${into.id}:vm-${machine.vmid}-disk-${count}`, content: 'images', vmid: machine.vmid },
    size: source.size,
    ...(source.disk === undefined ? {} : { disk: copyDisk(source.disk) }),
  });
  return `${volid}${rest},size=${sizeText(source.size)}`;
}

export const configEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/nodes/{node}/qemu/{vmid}/config',
    permissions: onVm('VM.Audit'),
    parameters: { node, vmid, current: boolean, snapshot: optional(snapname) },
    proxied: true,
    code(call) {
      const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
      const pending = call.values.current === 1 ? {} : machine.pending;
      return { ...machine.config, ...pending, digest: digestOf(machine) };
    },
  },
  {
    method: 'PUT',
    path: '/nodes/{node}/qemu/{vmid}/config',
    permissions: [],
    parameters: { node, vmid, ...CONFIG, delete: text, revert: text, force: boolean, digest },
    proxied: true,
    code(call) {
      changeConfig(call);
      return null;
    },
  },
  {
    method: 'POST',
    path: '/nodes/{node}/qemu/{vmid}/config',
    permissions: [],
    parameters: {
      ...{ node, vmid, ...CONFIG, delete: text, revert: text, force: boolean, digest },
      background_delay: integer(1),
    },
    proxied: true,
    code: (call) => vmTask(call, 'qmconfig', () => changeConfig(call)),
  },
  {
    method: 'PUT',
    path: '/nodes/{node}/qemu/{vmid}/unlink',
    permissions: onVm('VM.Config.Disk'),
    parameters: { node, vmid, idlist: { type: 'string', format: 'pve-configid-list' }, force: boolean },
    proxied: true,
    code(call) {
      const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
      machine.checkLock();
      for (const drive of String(call.values.idlist).split(',')) {
        const volid = machine.config[drive]?.split(',')[0];
        if (volid === undefined) continue;
        delete machine.config[drive];
        if (call.values.force === 1) call.cluster.removeVolume(volid, machine.node);
        else machine.config.unused0 = volid;
      }
      return null;
    },
  },
];
