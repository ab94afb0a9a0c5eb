import { z } from 'zod';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { bookJob } from '../../../work/job.ts';
import { UNPUBLISHED } from '../../dns/publish/zone-jobs.ts';
import { readDomain } from '../domain.ts';
import { abandonUnpublished } from './unpublished.ts';

/** A zone was refused, or nobody has got it for too long: the registration that waits for it comes to nothing. */
export default bookJob({
  name: UNPUBLISHED,
  payload: z.object({ domain_id: z.uuid() }),
  async run(pool, { now, log }, { domain_id: domainId }) {
    const domain = await readDomain(pool, domainId);
    if (domain === null) return;
    await inUnitOfWork(pool, now, [domain.account_id], async (tx, uow) => {
      if (await abandonUnpublished(tx, uow, domainId))
        log.warn({ domain: domain.name }, 'not registered: no name server has its zone');
    });
  },
});
