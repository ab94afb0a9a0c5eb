import { z } from 'zod';
import { inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { bookJob } from '../../../work/job.ts';
import { beginAutoTopup, notifyLowBalance } from './auto-topup.ts';
import { BALANCE_LOW } from './work.ts';

/** A balance fell below the customer's threshold: tells them, and tops it up where they set that up. */
export default bookJob({
  name: BALANCE_LOW,
  payload: z.object({ account_id: z.uuid() }),
  async run(pool, ctx, { account_id }) {
    await inUnitOfWork(pool, ctx.now, [account_id], async (tx, uow) => {
      const account = lockedAccount(uow, account_id);
      await notifyLowBalance(tx, uow, account);
      await beginAutoTopup(tx, uow, account);
    });
  },
});
