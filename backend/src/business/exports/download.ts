import { type Instant, isBefore, utcDay } from '../../base/time.ts';
import type { Executor } from '../../db/pool.ts';
import { exportOf } from './export.ts';
import { readParts } from './parts.ts';

/** The archive as a file; null when the account has no such export, or it is not there yet, or no longer. */
export async function exportFile(
  db: Executor,
  asked: { readonly id: string; readonly accountId: string },
  now: Instant,
): Promise<{ name: string; contentType: string; content: AsyncIterable<Buffer>; tag: string } | null> {
  const found = await exportOf(db, asked.id);
  if (found === null || found.account_id !== asked.accountId || found.content_id === null) return null;
  if (!isBefore(now, found.expires_at)) return null;
  return {
    name: `hostkeep-export-${utcDay(found.created_at)}.tar.gz`,
    contentType: 'application/gzip',
    content: readParts(db, found.content_id),
    tag: found.content_id,
  };
}
