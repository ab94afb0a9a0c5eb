import { z } from 'zod';
import { bookJob } from '../../../work/job.ts';
import { handleMail } from './incoming.ts';
import { INCOMING } from './receive.ts';

/** Looks at a mail that came for a ticket, until it is a message, or waits for an operator, or is dropped. */
export default bookJob({
  name: INCOMING,
  priority: 'delivery',
  payload: z.object({ mail_id: z.string() }),
  async run(pool, ctx, { mail_id }) {
    const { content: sold } = await ctx.catalogs.newest(pool);
    await handleMail(pool, mail_id, { now: ctx.now, sealer: ctx.sealer, sold });
  },
});
