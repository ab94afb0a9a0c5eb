import {
  boolean,
  type Call,
  type Endpoint,
  integer,
  node,
  nodeOf,
  onVm,
  optional,
  snapname,
  storage,
  text,
  vmid,
  vmidOf,
  vmTask,
} from '../endpoint.ts';
import { copyDisk, Firewall, SimulatedMachine } from '../machine.ts';
import { died } from '../refusal.ts';

export const cloneEndpoint: Endpoint = {
  method: 'POST',
  path: '/nodes/{node}/qemu/{vmid}/clone',
  permissions: [...onVm('VM.Clone'), { path: '/vms/{newid}', privileges: ['VM.Allocate'] }],
  parameters: {
    ...{
      node,
      vmid,
      newid: vmid,
      snapname: optional(snapname),
      pool: text,
      full: boolean,
      bwlimit: integer(0),
    },
    ...{
      name: optional({ type: 'string', format: 'dns-name' }),
      description: text,
      target: optional(node),
    },
    ...{
      storage: optional(storage),
      format: { type: 'string', enum: ['raw', 'qcow2', 'vmdk'], optional: true },
    },
  },
  proxied: true,
  code: clone,
};

function clone(call: Call): string {
  const { cluster, values } = call;
  const node = nodeOf(call);
  const target = String(values.target ?? node);
  const newid = Number(values.newid);
  const load = () => {
    const source = cluster.machine(vmidOf(call), node);
    source.checkLock();
    const full = values.full === undefined ? !source.isTemplate : values.full === 1;
    const { storage: into } = values;
    if (into !== undefined && !full) throw died("parameter 'storage' not allowed for linked clones");
    if (into !== undefined) cluster.storage(String(into), node);
    cluster.node(target);
    for (const [, volid] of source.drives()) {
      if (target !== node && !cluster.storageOf(String(into ?? volid)).shared)
        throw died(
          into === undefined
            ? `can't clone VM to node '${target}' (VM uses local storage)`
            : `can't clone to non-shared storage '${into}'`,
        );
      if (!full && !source.isTemplate)
        throw died(`Linked clone feature is not supported for '${volid}' (scsi0)`);
    }
    if (cluster.machines.has(newid)) throw died(`unable to create VM ${newid}: config file already exists`);
    return { source, full };
  };
  load();
  const made: string[] = [];
  let isOurs = false;
  return vmTask(
    call,
    'qmclone',
    () => {
      const machine = cluster.machines.get(newid);
      if (machine === undefined) throw died(`unable to create VM ${newid}: config file vanished`);
      const source = cluster.machine(vmidOf(call), node);
      const full = values.full === 1 || !source.isTemplate;
      const { template: _template, lock: _lock, ...config } = source.config;
      for (const [name, volid] of source.drives()) {
        const from = cluster.mustHaveVolume(volid, node);
        const storage =
          values.storage === undefined
            ? cluster.storageOf(volid)
            : cluster.storage(String(values.storage), node);
        const own = `vm-${newid}-disk-${made.length}`;
        const linked = `${volid.split(':')[1]}/${own}`;
        const volume = cluster.addVolume(storage, target, {
          volid: `${storage.id}:${full ? own : linked}`,
          ...{ content: 'images', vmid: newid, size: from.size },
          ...(from.disk === undefined ? {} : { disk: copyDisk(from.disk) }),
          ...(full ? {} : { parent: volid }),
        });
        made.push(volume.volid);
        config[name] = (config[name] ?? '').replace(volid, volume.volid);
      }
      machine.config = {
        ...config,
        name: String(values.name ?? `Copy-of-VM-${source.config.name}`),
        ...(values.description === undefined ? {} : { description: String(values.description) }),
        ...(config.net0 === undefined
          ? {}
          : { net0: config.net0.replace(/=([0-9A-F]{2}:){5}[0-9A-F]{2}/i, '=BC:24:11:00:00:01') }),
      };
      machine.node = target;
    },
    {
      begin(log) {
        log.push(`creating a clone of VM ${vmidOf(call)} with ID ${newid}`);
        const { source } = load();
        const machine = new SimulatedMachine(newid, node, { lock: 'clone' });
        machine.firewall = Object.assign(new Firewall(), structuredClone(source.firewall));
        cluster.machines.set(newid, machine);
        isOurs = true;
      },
      failed() {
        for (const volid of made) cluster.removeVolume(volid, target);
        if (isOurs) cluster.machines.delete(newid);
      },
    },
  );
}
