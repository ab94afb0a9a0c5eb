import { tickJob } from '../../../work/job.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { claimWebhooks } from './claim.ts';
import { DeliveryRun } from './delivery-run.ts';

const AT_ONCE = 16;
/** Longer than a turn can last; after a crash its webhook waits so long. */
const LEASE_SECONDS = 60;

/**
 * Tells webhooks what happened: looks each second whether one has something to send, and gives those a turn, side by
 * side. A slow receiver keeps only its own webhook waiting. Nothing is sent in safe mode: after a restore, cursors are
 * where they were long ago.
 */
export default tickJob({
  name: 'webhook.deliver',
  everyMs: 1_000,
  async run(pool, ctx, { outbound }) {
    if (await isSafeMode(pool)) return;
    const until = ctx.now.add({ seconds: LEASE_SECONDS });
    const taken = await claimWebhooks(pool, { now: ctx.now, until, limit: AT_ONCE });
    const turns = taken.map(async (webhook) => {
      try {
        await new DeliveryRun({ pool, outbound, now: ctx.now, sealer: ctx.sealer }, webhook).run();
      } catch (error) {
        ctx.log.error({ err: error, webhook: webhook.id }, 'a webhook could not be served');
      }
    });
    await Promise.all(turns);
  },
});
