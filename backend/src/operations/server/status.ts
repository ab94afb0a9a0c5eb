import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { powerState, serviceState } from '../../api/server.ts';
import { task } from '../../api/task.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { unfinishedTask, wireTask } from '../../business/core/tasks/task.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { isDelivered } from '../../business/servers/machine/compare.ts';
import { freshMeter, type Meter } from '../../business/servers/metrics/meter.ts';
import { type Server, server } from '../../business/servers/server.ts';
import { trafficOf } from '../../business/servers/traffic/traffic.ts';
import type { MachineStatus } from '../../drivers/hypervisor/port.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';

const DEADLINE_MS = 3_000;

/** What is shown of a machine that does not answer, or that there is none of. */
const NOTHING_KNOWN: MachineStatus = {
  power: 'unknown',
  uptimeSeconds: 0,
  cpu: 0,
  memoryUsedMib: 0,
  diskUsedGib: null,
  netInBytes: 0,
  netOutBytes: 0,
  guestAgent: null,
};

// Which lock a task under way puts on the server; a task that puts none is not here.
const LOCKS: Readonly<Record<string, 'backup' | 'migrate' | 'reinstall' | 'snapshot' | undefined>> = {
  'server.backup': 'backup',
  'server.backup_restore': 'backup',
  'server.migrate': 'migrate',
  'server.reinstall': 'reinstall',
  'server.snapshot': 'snapshot',
  'server.snapshot_restore': 'snapshot',
};

export default operation({
  method: 'GET',
  path: 'server/status',
  summary: 'What a server is doing now',
  description:
    'Asked of the hypervisor. When it does not answer within three seconds, `power_state` is `unknown`, and the figures ' +
    'are those of the last minutes, of `sampled_at`; without any they are zero. `traffic` counts both directions by the ' +
    'minute; where the provider throttles what exceeds it, `throttled` lasts until `period_end`.',
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    state: serviceState,
    state_text: z.string(),
    power_state: powerState,
    uptime: z.int().describe('Seconds'),
    lock: z
      .object({
        reason: z.enum(['backup', 'migrate', 'reinstall', 'snapshot', 'suspended']),
        since: timestamp,
        task_uuid: uuid.nullable(),
      })
      .nullable(),
    task: task.nullable(),
    usage: z.object({
      cpu: z.number().describe('Share of the assigned cores, 0 to 1'),
      memory_used: z.int().describe('MiB'),
      memory_total: z.int().describe('MiB'),
      disk_used: z.int().nullable().describe('GiB'),
      disk_total: z.int().describe('GiB'),
      net_in: z.int().describe('Bytes since boot'),
      net_out: z.int().describe('Bytes since boot'),
    }),
    traffic: z.object({
      used: z.int().describe('Bytes'),
      included: z.int().nullable().describe('Bytes; null: unlimited'),
      period_end: timestamp,
      throttled: z.boolean(),
    }),
    guest_agent: z.object({
      available: z.boolean(),
      os_name: z.string().nullable(),
      ip_addresses: z.array(z.string()),
    }),
    protection: z.object({ delete: z.boolean(), reinstall: z.boolean() }),
    rescue_since: timestamp.nullable().describe('null: it runs its own system.'),
    sampled_at: timestamp,
  }),
  message: { en: 'This is the state of the server.', de: 'Das ist der Zustand des Servers.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  async read(ctx, _input, found) {
    const machine = { serverId: found.id, host: found.host, node: found.node };
    const [status, traffic, running, suspended] = await Promise.all([
      isDelivered(found)
        ? ctx.ports.hypervisor.status(machine, DEADLINE_MS).catch(unlessUnavailable)
        : NOTHING_KNOWN,
      trafficOf(ctx.db, ctx.catalog, found, ctx.now),
      unfinishedTask(ctx.db, found.account_id, found.id),
      ctx.db.kysely
        .selectFrom('suspensions')
        .select((of) => of.fn.min('since').as('since'))
        .where('service_id', '=', found.id)
        .executeTakeFirst(),
    ]);
    const shown = status ?? NOTHING_KNOWN;
    const meter = status === null ? await freshMeter(ctx.db, found.id, ctx.now) : null;
    const reason = running === null ? undefined : LOCKS[running.type];
    const since = suspended?.since ?? null;
    return {
      uuid: found.id,
      state: found.state,
      state_text: stateText(found.state, ctx.locale),
      power_state: shown.power,
      uptime: shown.uptimeSeconds,
      lock:
        running !== null && reason !== undefined
          ? { reason, since: wireTime(running.created_at), task_uuid: running.id }
          : since === null
            ? null
            : { reason: 'suspended' as const, since: wireTime(since), task_uuid: null },
      task: running === null ? null : wireTask(running, ctx.locale),
      usage: { ...(meter === null ? usageOf(shown) : lastUsage(meter)), ...totalsOf(found) },
      traffic: {
        used: traffic.used,
        included: traffic.included,
        period_end: wireTime(traffic.periodEnd),
        throttled: traffic.throttled,
      },
      guest_agent: {
        available: shown.guestAgent !== null,
        os_name: shown.guestAgent?.osName ?? null,
        ip_addresses: [...(shown.guestAgent?.addresses ?? [])],
      },
      protection: { delete: found.protect_delete, reinstall: found.protect_reinstall },
      rescue_since: wireTimeOrNull(found.rescue_since),
      sampled_at: wireTime(meter?.seen_at ?? ctx.now),
    };
  },
});

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

function usageOf(status: MachineStatus) {
  return {
    cpu: status.cpu,
    memory_used: status.memoryUsedMib,
    disk_used: status.diskUsedGib,
    net_in: status.netInBytes,
    net_out: status.netOutBytes,
  };
}

function lastUsage(meter: Meter) {
  return {
    cpu: meter.cpu ?? 0,
    memory_used: Math.floor(Number(meter.mem ?? 0n) / MIB),
    disk_used: meter.disk === null ? null : Math.ceil(Number(meter.disk) / GIB),
    net_in: Number(meter.netin ?? 0n),
    net_out: Number(meter.netout ?? 0n),
  };
}

function totalsOf({ memory, disk }: Server) {
  return { memory_total: memory, disk_total: disk };
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof BackendUnavailable) return null;
  throw error;
}
