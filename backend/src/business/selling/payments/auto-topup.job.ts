import { z } from 'zod';
import { inFrame, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { bookJob } from '../../../work/job.ts';
import { beginAutoTopup, tellLowBalance } from './auto-topup.ts';
import { BALANCE_LOW } from './work.ts';

/** A balance fell below the customer's threshold: tells him, and tops it up where he set that up. */
export default bookJob({
  name: BALANCE_LOW,
  payload: z.object({ account_id: z.uuid() }),
  async run(pool, ctx, { account_id }) {
    await inFrame(pool, ctx.now, [account_id], async (tx, frame) => {
      const account = lockedAccount(frame, account_id);
      await tellLowBalance(tx, frame, account);
      await beginAutoTopup(tx, frame, account);
    });
  },
});
