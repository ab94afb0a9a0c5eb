import { boolean, type Endpoint, integer, node, nodeOf, optional, text, vmid } from '../endpoint.ts';
import { wrongParameters } from '../refusal.ts';
import type { SimulatedTask } from '../task.ts';

function told({ log: _log, exitstatus, endtime, ...task }: SimulatedTask): object {
  const [user, tokenid] = task.user.split('!');
  return {
    ...task,
    user,
    ...(tokenid === undefined ? {} : { tokenid }),
    ...(exitstatus === null ? { status: 'RUNNING' } : { status: exitstatus, endtime }),
  };
}

export const clusterEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/version',
    permissions: [],
    parameters: {},
    code: ({ cluster: { version } }) => ({
      version,
      release: version.split('.').slice(0, 2).join('.'),
      repoid: 'simulated',
    }),
  },
  {
    method: 'GET',
    path: '/cluster/resources',
    permissions: [],
    parameters: { type: { type: 'string', enum: ['vm', 'storage', 'node', 'sdn'], optional: true } },
    code({ cluster, values: { type } }) {
      const machines = [...cluster.machines.values()].map(({ vmid: id, node: name, config, seen }) => ({
        // Existence, node, lock and tags are of this moment; everything else is what pvestatd saw last.
        ...{ id: `qemu/${id}`, vmid: id, node: name, type: 'qemu', status: 'unknown' },
        ...(seen === null || !cluster.nodes.some((one) => one.name === name && one.online)
          ? {}
          : {
              ...{
                uptime: seen.uptime,
                name: seen.name,
                status: seen.status,
                template: seen.template ?? 0,
              },
              ...{ maxcpu: seen.cpus, cpu: seen.cpu, maxmem: seen.maxmem, mem: seen.mem },
              ...{
                maxdisk: seen.maxdisk,
                disk: seen.disk,
                netin: seen.netin,
                netout: seen.netout,
              },
              ...{ diskread: seen.diskread, diskwrite: seen.diskwrite },
            }),
        ...(config.lock === undefined ? {} : { lock: config.lock }),
        ...(config.tags === undefined ? {} : { tags: config.tags }),
      }));
      const nodes = cluster.nodes.map(({ name, online, cpus, memory }) => ({
        ...{ id: `node/${name}`, node: name, type: 'node', status: online ? 'online' : 'offline' },
        ...(online
          ? { maxcpu: cpus, cpu: 0.1, maxmem: memory, mem: Math.floor(memory / 3), uptime: 1000 }
          : {}),
      }));
      const storages = cluster.storages.flatMap(({ id, type: plugintype, shared, content, size, volumes }) =>
        cluster.nodes.map(({ name, online }) => {
          const disk = volumes.reduce(
            (sum, one) => sum + (one.node === null || one.node === name ? one.size : 0),
            0,
          );
          return {
            ...{ id: `storage/${name}/${id}`, storage: id, node: name, type: 'storage', plugintype },
            ...{
              shared: shared ? 1 : 0,
              content: content.join(','),
              status: online ? 'available' : 'unknown',
            },
            ...(online ? { maxdisk: size, disk } : {}),
          };
        }),
      );
      if (type === 'vm') return machines;
      if (type === 'node') return nodes;
      return type === 'storage' ? storages : [...machines, ...nodes, ...storages];
    },
  },
  {
    method: 'GET',
    path: '/cluster/nextid',
    permissions: [],
    parameters: { vmid: optional(vmid) },
    code({ cluster, values }) {
      const asked = values.vmid;
      if (asked !== undefined) {
        if (!cluster.machines.has(Number(asked))) return asked;
        throw wrongParameters({ vmid: `VM ${asked} already exists` });
      }
      // Whoever asks before the other has made a machine gets the same.
      for (let id = 100; ; id += 1) if (!cluster.machines.has(id)) return String(id);
    },
  },
  {
    method: 'GET',
    path: '/cluster/firewall/options',
    permissions: [{ path: '/', privileges: ['Sys.Audit'] }],
    parameters: {},
    code: ({ cluster }) => cluster.firewallOptions,
  },
  {
    method: 'GET',
    path: '/nodes/{node}/tasks',
    permissions: [],
    parameters: {
      ...{
        node,
        start: integer(0),
        limit: integer(0),
        userfilter: text,
        typefilter: text,
        vmid: optional(vmid),
      },
      ...{ errors: boolean, since: integer(0), until: integer(0), statusfilter: text },
      source: { type: 'string', enum: ['archive', 'active', 'all'], optional: true },
    },
    proxied: true,
    code(call) {
      const {
        typefilter,
        vmid: of,
        source = 'archive',
        since = 0,
        start = 0,
        limit = 50,
        errors,
      } = call.values;
      return call.cluster.tasks.all
        .filter(
          (task) =>
            task.node === nodeOf(call) &&
            task.user === call.user &&
            (typefilter === undefined || task.type === typefilter) &&
            (of === undefined || task.id === String(of)) &&
            task.starttime >= Number(since) &&
            (source === 'all' || (source === 'active') === (task.exitstatus === null)) &&
            (errors !== 1 || task.exitstatus !== 'OK'),
        )
        .toReversed()
        .slice(Number(start), Number(start) + Number(limit))
        .map(told);
    },
  },
  {
    method: 'GET',
    path: '/nodes/{node}/tasks/{upid}/status',
    permissions: [],
    parameters: { node, upid: { type: 'string' } },
    proxied: true,
    code({ cluster, values: { upid } }) {
      const task = cluster.tasks.all.find((one) => one.upid === upid);
      if (task === undefined) throw wrongParameters({ upid: 'no such task' });
      const { exitstatus } = task;
      return {
        ...told(task),
        ...(exitstatus === null ? { status: 'running' } : { status: 'stopped', exitstatus }),
      };
    },
  },
  {
    method: 'GET',
    path: '/nodes/{node}/tasks/{upid}/log',
    permissions: [],
    parameters: { node, upid: { type: 'string' }, start: integer(0), limit: integer(0), download: boolean },
    proxied: true,
    code({ cluster, values: { upid, start = 0, limit = 50 } }) {
      const task = cluster.tasks.all.find((one) => one.upid === upid);
      if (task === undefined) throw wrongParameters({ upid: 'no such task' });
      return task.log
        .map((line, at) => ({ n: at + 1, t: line }))
        .slice(Number(start), Number(start) + Number(limit));
    },
  },
];
