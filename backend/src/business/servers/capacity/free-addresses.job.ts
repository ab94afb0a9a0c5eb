import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { freeQuarantined } from './placement.ts';

const QUARANTINE_HOURS = 24;

/** Lets addresses be given out again that nobody has used for a day. */
export default maintenanceJob({
  name: 'server.free_addresses',
  schedule: '17 * * * *',
  async run(pool, ctx) {
    const before = ctx.now.subtract({ hours: QUARANTINE_HOURS });
    const freed = await transaction(pool, (tx) => freeQuarantined(tx, before));
    if (freed > 0) ctx.log.info({ addresses: freed }, 'addresses left their quarantine');
  },
});
