import type { Executor } from '../../../db/pool.ts';
import type { StorageQueries } from '../../../drivers/storage/port.ts';
import { attachmentOf, storageKey } from './attachment.ts';

/** An attachment as a file; null when the account has no such one. */
export async function attachmentFile(
  db: Executor,
  storage: StorageQueries,
  asked: { readonly id: string; readonly accountId: string },
): Promise<{
  name: string;
  contentType: string;
  content: Buffer | AsyncIterable<Buffer>;
  tag: string;
} | null> {
  const found = await attachmentOf(db, asked.id);
  if (found === null || found.account_id !== asked.accountId) return null;
  const content = found.content ?? (await storage.read(storageKey(found)));
  if (content === null) return null;
  return { name: found.filename, contentType: found.content_type, content, tag: storageKey(found) };
}
