import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { serviceState } from '../../api/server.ts';
import { task } from '../../api/task.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { unfinishedTask, wireTask } from '../../business/core/tasks/task.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { wantedOfSite } from '../../business/webspaces/desired-state.ts';
import { trafficOfMonth } from '../../business/webspaces/usage/usage.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import type { SiteStatus } from '../../drivers/webserver/port.ts';
import { operation } from '../../operation.ts';

const DEADLINE_MS = 3_000;
const BYTES_PER_GIB = 1024 ** 3;

/** What the interface calls the reasons; the worst of several is shown. */
const REASONS = [
  ['abuse', 'abuse'],
  ['legal', 'operator'],
  ['operator', 'operator'],
  ['verification', 'operator'],
  ['unpaid', 'unpaid'],
  ['quota', 'quota'],
] as const;

const health = z.enum(['up', 'degraded', 'down']);

export default operation({
  method: 'GET',
  path: 'webspace/status',
  summary: 'How a webspace is doing now',
  description:
    'Asked of the web server. When that does not answer within three seconds, the services are `down` and the ' +
    'figures are those that were counted last. A disk that is full lets no more be written: `web` is `degraded` ' +
    'then, and `quota_exceeded` is true. A webspace that has used up its traffic is suspended by the reason `quota` ' +
    'until the next month begins (UTC).',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    state: serviceState,
    state_text: z.string(),
    services: z.object({ web: health, database: health, sftp: health }),
    usage: z.object({
      disk_used: z.int().describe('MiB, files and databases.'),
      disk_total: z.int().describe('MiB'),
      traffic_used: z.int().describe('GiB in this month'),
      traffic_total: z.int().nullable().describe('GiB; null: unlimited'),
      inodes_used: z.int().nullable(),
      inodes_total: z.int().nullable(),
    }),
    quota_exceeded: z
      .boolean()
      .describe('The disk is full: writing files fails, or databases can only be read and emptied.'),
    suspension: z
      .object({ reason: z.enum(['unpaid', 'abuse', 'quota', 'operator']), since: timestamp })
      .nullable(),
    last_backup_at: timestamp.nullable(),
    task: task.nullable(),
    sampled_at: timestamp,
  }),
  message: { en: 'This is the state of the webspace.', de: 'Das ist der Zustand des Webspace.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async read(ctx, _input, found) {
    const site = { webspaceId: found.id, host: found.host, username: found.username };
    const wanted = wantedOfSite(found.state);
    const [status, counted, running, suspensions, backup] = await Promise.all([
      wanted === null || wanted === 'absent'
        ? null
        : ctx.ports.webserver.status(site, DEADLINE_MS).catch(unlessUnavailable),
      trafficOfMonth(ctx.db, found.id, ctx.now),
      unfinishedTask(ctx.db, found.account_id, found.id),
      ctx.db.kysely
        .selectFrom('suspensions')
        .select(['reason', 'since'])
        .where('service_id', '=', found.id)
        .execute(),
      ctx.db.kysely
        .selectFrom('webspace_backups')
        .select((of) => of.fn.max('created_at').as('at'))
        .where('webspace_id', '=', found.id)
        .where('state', '=', 'available')
        .executeTakeFirst(),
    ]);
    const shown = status ?? { ...DOWN, ...lastKnown(found, counted) };
    // The host has the last days only, and what was counted is up to an hour old.
    const sent = Math.max(shown.trafficBytes, Number(counted));
    const full = shown.diskUsedMib >= found.disk;
    const traffic = ctx.catalog.webspacePackages.get(found.item)?.limits.traffic ?? null;
    return {
      uuid: found.id,
      state: found.state,
      state_text: stateText(found.state, ctx.locale),
      services: {
        web: full && shown.web === 'up' ? ('degraded' as const) : shown.web,
        database: shown.database,
        sftp: shown.sftp,
      },
      usage: {
        disk_used: shown.diskUsedMib,
        disk_total: found.disk,
        traffic_used: Math.floor(sent / BYTES_PER_GIB),
        traffic_total: traffic,
        inodes_used: shown.inodesUsed,
        inodes_total: shown.inodesTotal,
      },
      quota_exceeded: full,
      suspension: suspensionOf(suspensions),
      last_backup_at: wireTimeOrNull(backup?.at ?? null),
      task: running === null ? null : wireTask(running, ctx.locale),
      sampled_at: wireTime(status === null ? (found.sampled_at ?? ctx.now) : ctx.now),
    };
  },
});

const DOWN = { web: 'down', database: 'down', sftp: 'down' } as const;

function lastKnown(
  found: { readonly disk_used: number; readonly inodes_used: bigint | null },
  trafficBytes: bigint,
): Omit<SiteStatus, 'web' | 'database' | 'sftp'> {
  return {
    diskUsedMib: found.disk_used,
    inodesUsed: found.inodes_used === null ? null : Number(found.inodes_used),
    inodesTotal: null,
    trafficBytes: Number(trafficBytes),
  };
}

function suspensionOf(rows: readonly { readonly reason: string; readonly since: Temporal.Instant }[]) {
  for (const [stored, reason] of REASONS) {
    const row = rows.find((one) => one.reason === stored);
    if (row !== undefined) return { reason, since: wireTime(row.since) };
  }
  return null;
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof BackendUnavailable) return null;
  throw error;
}
