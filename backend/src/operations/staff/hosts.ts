import { z } from 'zod';
import { type NodeUse, nodeUse } from '../../business/servers/capacity/node-usage.ts';
import type { HostCapacity } from '../../drivers/hypervisor/port.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';

const DEADLINE_MS = 5_000;

const amount = { cores: z.int(), memory: z.int().describe('MiB'), disk: z.int().describe('GiB') };

export default operation({
  method: 'GET',
  path: 'staff/hosts',
  summary: 'How full the hosts of servers are',
  description:
    'By node: what may be sold and what is, what its servers use by the samples of the last five minutes, and what the ' +
    'hypervisor says that the machine has, which is asked for at most five seconds. What nobody told is null.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({ host: z.string().max(63).optional() }),
  output: z.object({
    hosts: z.array(
      z.object({
        name: z.string(),
        answers: z.boolean().describe('Whether its hypervisor told what there is'),
        nodes: z.array(
          z.object({
            name: z.string(),
            active: z.boolean().describe('The catalogue has it'),
            problem: z
              .string()
              .nullable()
              .describe('What keeps it from running machines: no new servers go there'),
            servers: z.int(),
            running: z.int(),
            sellable: z.object(amount),
            sold: z.object(amount),
            used: z
              .object({
                servers: z.int().describe('How many were sampled'),
                cores: z.number().nullable().describe('Busy'),
                memory: z.int().nullable().describe('MiB'),
                disk: z.int().nullable().describe('GiB'),
              })
              .nullable(),
            hardware: z
              .object({ ...amount, disk_free: z.int().describe('GiB, of the file system of the disks') })
              .nullable(),
          }),
        ),
      }),
    ),
    total: z.int(),
  }),
  message: { en: 'This is how full the hosts are.', de: 'So voll sind die Hosts.' },
  errors: [],
  example: { input: {} },
  async read(ctx, { host: only }) {
    const nodes = (await nodeUse(ctx.db, ctx.now)).filter(({ host }) => only === undefined || host === only);
    const hosts = await Promise.all(
      [...Map.groupBy(nodes, ({ host }) => host)].map(async ([name, found]) => {
        const capacity = await ctx.ports.hypervisor.capacity(name, DEADLINE_MS).catch(unlessUnavailable);
        return { name, answers: capacity !== null, nodes: found.map((node) => wireNode(node, capacity)) };
      }),
    );
    return { hosts, total: hosts.length };
  },
});

function wireNode(node: NodeUse, capacity: HostCapacity | null) {
  const { cores_total: cores, memory_total: memory, disk_total: disk } = node;
  const real = capacity?.nodes.find((one) => one.node === node.node);
  return {
    name: node.node,
    active: node.active,
    problem: node.problem,
    servers: node.servers,
    running: node.running,
    sellable: { cores, memory, disk },
    sold: { cores: node.cores_sold, memory: node.memory_sold, disk: node.disk_sold },
    used:
      node.sampled === 0
        ? null
        : {
            servers: node.sampled,
            cores: node.cores_busy === null ? null : Math.round(100 * node.cores_busy) / 100,
            memory: node.memory_used === null ? null : Math.ceil(node.memory_used),
            disk: node.disk_used === null ? null : Math.ceil(node.disk_used),
          },
    hardware:
      real === undefined
        ? null
        : { cores: real.cores, memory: real.memory, disk: real.disk, disk_free: real.diskFree },
  };
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof BackendUnavailable) return null;
  throw error;
}
