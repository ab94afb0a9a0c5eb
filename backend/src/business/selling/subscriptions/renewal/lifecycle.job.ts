import { maintenanceJob } from '../../../../work/job.ts';
import { dueAccounts } from './due.ts';
import { MOST_TOGETHER, renewDueAccounts } from './renewal-run.ts';

/** While one transaction waits for the disk, another is decided. */
const LANES = 3;

/**
 * The life of all services, as far as it goes by itself: whatever is due is renewed, announced, switched off or
 * deleted, in transactions of at most 500 services (rule B7). What it could not get at is due still, and comes
 * with the next sweep.
 */
export default maintenanceJob({
  name: 'service.lifecycle',
  schedule: '* * * * *',
  async run(pool, ctx) {
    for (;;) {
      // Lanes take the last first: so ids come in ascending order, for which indexes grow at their end.
      const chunks = inChunks(await dueAccounts(pool, ctx.now)).reverse();
      let swept = 0;
      let renewed = 0;
      const lane = async () => {
        for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) {
          try {
            const done = await renewDueAccounts(pool, ctx.catalogs, ctx.now, chunk);
            swept += done.services;
            renewed += done.renewed;
          } catch (error) {
            // One account's fault must not stop the others: they are swept one by one.
            if (chunk.length > 1) chunks.push(...chunk.map((account) => [account]));
            else ctx.log.error({ err: error, account: chunk[0] }, 'the services of an account are stuck');
          }
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      // Also when all that was due was got at: a service of hours that stood still is due again, for its next term.
      if (swept === 0) return;
      ctx.log.info({ services: swept, renewed }, 'services were looked after');
    }
  },
});

/** Accounts with about as many services together as one transaction takes. */
function inChunks(
  accounts: readonly { readonly account_id: string; readonly services: number }[],
): string[][] {
  const chunks: string[][] = [];
  let room = 0;
  for (const { account_id, services } of accounts) {
    const last = chunks.at(-1);
    if (last !== undefined && services <= room) last.push(account_id);
    else {
      chunks.push([account_id]);
      room = MOST_TOGETHER;
    }
    room -= services;
  }
  return chunks;
}
