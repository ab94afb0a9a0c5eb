import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Pool } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { ErrorCode } from '../../errors.ts';
import { inUnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { bookJob, type JobContext } from '../../work/job.ts';
import { finishTask } from '../core/tasks/task.ts';
import { buildArchive } from './archive.ts';
import { EXPORT, type Export, exportOf, GIVEN_UP_HOURS, taskOf } from './export.ts';
import { dropParts, keepParts, TooLarge } from './parts.ts';

const MOST_BYTES = 512 * 1024 * 1024;

const begin = statement<object>(
  'begin_export',
  `UPDATE tasks SET state = 'running', started_at = coalesce(started_at, $2) WHERE id = $1 AND finished_at IS NULL`,
);
const complete = statement<object>(
  'complete_export',
  'UPDATE exports SET content_id = $2, size = $3, sha256 = $4 WHERE id = $1',
);

/**
 * Makes the archive of an account. What an attempt writes is its own until the archive is whole: one that died, or
 * that another run overtook, leaves parts that the next one to finish takes away.
 */
export default bookJob({
  name: EXPORT,
  priority: 'bulk',
  payload: z.object({ export_id: z.uuid() }),
  async run(pool, ctx, { export_id: exportId }, { storage }) {
    const found = await exportOf(pool, exportId);
    if (found === null || !isUnderWay(found)) return;
    const givenUp = found.created_at.add({ hours: GIVEN_UP_HOURS });
    if (Temporal.Instant.compare(givenUp, ctx.now) < 0) return await fail(pool, ctx, found, 'internal_error');
    await pool.run(begin, [found.task_id, ctx.now]);
    const contentId = randomUUID();
    const request = {
      accountId: found.account_id,
      signer: ctx.signer,
      storage,
      now: ctx.now,
      onMissing: (attachment: string) =>
        ctx.log.error({ attachment, export: exportId }, 'a file is gone: the archive is without it'),
    };
    const keep = (content: AsyncIterable<Buffer>) =>
      keepParts(pool, { exportId, contentId, most: MOST_BYTES }, content);
    const kept = await buildArchive(pool, request, keep).catch((error: unknown) => {
      if (error instanceof TooLarge) return null;
      throw error;
    });
    if (kept === null) await fail(pool, ctx, found, 'export_too_large');
    else await finish(pool, ctx, found, contentId, kept);
  },
});

function isUnderWay(found: Export): boolean {
  return found.task_state === 'queued' || found.task_state === 'running';
}

async function finish(
  pool: Pool,
  ctx: JobContext,
  { id, account_id: accountId }: Export,
  contentId: string,
  kept: { readonly size: number; readonly sha256: Buffer },
): Promise<void> {
  await inUnitOfWork(pool, ctx.now, [accountId], async (tx, uow) => {
    // Read with the account locked: whoever finishes an export has it locked too.
    const now = await exportOf(tx, id);
    if (now === null || !isUnderWay(now)) return await dropParts(tx, id, now?.content_id ?? null);
    await tx.run(complete, [id, contentId, kept.size, kept.sha256]);
    await dropParts(tx, id, contentId);
    finishTask(uow, taskOf(now), null);
  });
}

async function fail(
  pool: Pool,
  ctx: JobContext,
  { id, account_id: accountId }: Export,
  reason: ErrorCode,
): Promise<void> {
  await inUnitOfWork(pool, ctx.now, [accountId], async (tx, uow) => {
    const now = await exportOf(tx, id);
    if (now === null || !isUnderWay(now)) return;
    await dropParts(tx, id, null);
    finishTask(uow, taskOf(now), reason);
  });
}
