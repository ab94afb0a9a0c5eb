import { z } from 'zod';
import { commandJob } from '../../../work/job.ts';
import { attachmentOf, releaseContent, STORE, storageKey } from './attachment.ts';

/**
 * Moves a file that was attached from the database, where it came with its message, into the storage. Both have it
 * for a moment, and one of them always.
 */
export default commandJob({
  name: STORE,
  priority: 'delivery',
  payload: z.object({ attachment_id: z.string() }),
  async load(db, _ctx, { attachment_id }) {
    const found = await attachmentOf(db, attachment_id);
    return found === null || found.content === null ? null : { ...found, content: found.content };
  },
  command: ({ storage }, kept) => storage.ensureStored(storageKey(kept), kept.content),
  accounts: () => [],
  async finish(tx, ctx, { id }, outcome) {
    if (outcome.kind === 'done') await releaseContent(tx, id);
    else
      ctx.log.error(
        { attachment: id, reason: outcome.reason },
        'a file was not stored: it stays in the database',
      );
  },
});
