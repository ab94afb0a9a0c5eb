import {
  boolean,
  type Call,
  type Endpoint,
  integer,
  node,
  nodeOf,
  optional,
  storage,
  text,
  vmid,
  vmidOf,
  vmTask,
} from '../endpoint.ts';
import { copyDisk, type SimulatedMachine } from '../machine.ts';
import { died, PveRefusal } from '../refusal.ts';

const found = (call: Call): SimulatedMachine => call.cluster.machine(vmidOf(call), nodeOf(call));

export const backupEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/nodes/{node}/vzdump',
    permissions: [],
    parameters: {
      ...{
        node,
        vmid: { type: 'string', pattern: /^\d+(,\d+)*$/ },
        storage: optional(storage),
        remove: boolean,
        quiet: boolean,
      },
      mode: { type: 'string', enum: ['snapshot', 'suspend', 'stop'], optional: true },
      compress: { type: 'string', enum: ['0', '1', 'gzip', 'lzo', 'zstd'], optional: true },
      'notes-template': { type: 'string', maxLength: 1024, requires: 'storage', optional: true },
      ...{ protected: boolean, bwlimit: integer(0), lockwait: integer(0), all: boolean },
    },
    proxied: true,
    code(call) {
      const { cluster, values } = call;
      const into = cluster.storage(String(values.storage ?? 'local'), nodeOf(call));
      call.check(`/vms/${values.vmid}`, ['VM.Backup']);
      call.check(`/storage/${into.id}`, ['Datastore.AllocateSpace']);
      if (!into.content.includes('backup')) throw died(`storage '${into.id}' does not support backups`);
      return vmTask(
        call,
        'vzdump',
        () => {
          const machine = found(call);
          const { disk, size } = cluster.bootDisk(machine);
          const name = `vzdump-qemu-${machine.vmid}-${cluster.now}-${into.volumes.length}.vma.zst`;
          cluster.addVolume(into, machine.node, {
            ...{ volid: `${into.id}:backup/${name}`, content: 'backup', vmid: machine.vmid },
            ...{ size: Math.ceil(size / 4), notes: String(values['notes-template'] ?? '') },
            ...(disk === undefined ? {} : { disk: copyDisk(disk) }),
            config: { ...machine.config, lock: '' },
          });
          delete machine.config.lock;
        },
        {
          begin() {
            const machine = found(call);
            machine.checkLock();
            machine.config.lock = 'backup';
          },
          failed() {
            delete found(call).config.lock;
          },
        },
      );
    },
  },
  {
    method: 'POST',
    path: '/nodes/{node}/qemu',
    permissions: [],
    parameters: {
      ...{
        node,
        vmid,
        archive: { type: 'string', maxLength: 255, optional: true },
        storage: optional(storage),
      },
      ...{
        force: { type: 'boolean', optional: true, requires: 'archive' },
        unique: boolean,
        pool: text,
        start: boolean,
      },
      ...{
        name: optional({ type: 'string', format: 'dns-name' }),
        description: text,
        tags: text,
        onboot: boolean,
      },
      ...{
        cores: integer(1),
        sockets: integer(1),
        memory: text,
        net0: text,
        ide2: text,
        agent: text,
        bwlimit: integer(0),
      },
    },
    proxied: true,
    code: restore,
  },
];

function restore(call: Call): string {
  const { cluster, values } = call;
  const { node: on, vmid: id, archive, storage: into, force, unique: _unique, ...overrides } = values;
  const existing = cluster.machines.get(Number(id));
  if (existing !== undefined && (force !== 1 || existing.node !== on))
    throw died(`unable to create VM ${id} - VM ${id} already exists on node '${existing.node}'`);
  if (archive === undefined || existing === undefined)
    throw new PveRefusal(501, 'the simulator only restores over a machine that is there');
  call.check(`/vms/${id}`, ['VM.Backup']);
  const backup = cluster.mustHaveVolume(String(archive), String(on));
  existing.checkLock();
  existing.config.lock = 'create';
  const unlock = () => {
    delete existing.config.lock;
  };
  return vmTask(
    call,
    'qmrestore',
    () => {
      if (existing.process !== null) throw died(`unable to restore VM ${id} - vm is running`);
      for (const [, volid] of existing.drives()) cluster.removeVolume(volid, existing.node);
      const { lock: _lock, ...config } = backup.config ?? {};
      const drive = cluster.bootDrive(existing);
      const value = config[drive] ?? '';
      const store = into === undefined ? cluster.storageOf(value) : cluster.storage(String(into), String(on));
      const size = /size=([^,]+)/.exec(value)?.[1] ?? '0';
      const volume = cluster.addVolume(store, existing.node, {
        ...{
          volid: `${store.id}:vm-${id}-disk-0`,
          content: 'images',
          vmid: Number(id),
          size: backup.size * 4,
        },
        ...(backup.disk === undefined ? {} : { disk: copyDisk(backup.disk) }),
      });
      existing.config = {
        ...config,
        [drive]: `${volume.volid},size=${size}`,
        ...Object.fromEntries(Object.entries(overrides).map(([name, given]) => [name, String(given)])),
      };
      existing.snapshots.clear();
    },
    { failed: unlock },
  );
}
