import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { certificateJob, dueCertificates } from './certificates.ts';

const AT_ONCE = 500;

/** Sees to certificates that are to be renewed, or tried for again. */
export default maintenanceJob({
  name: 'webspace.certificates',
  schedule: '*/10 * * * *',
  async run(pool, ctx) {
    const due = await dueCertificates(pool, ctx.now, AT_ONCE);
    if (due.length > 0) await transaction(pool, (tx) => enqueue(tx, due.map(certificateJob), 'maintenance'));
  },
});
