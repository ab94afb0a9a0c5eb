import { statement } from '../../../db/statement.ts';
import { transaction } from '../../../db/transaction.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { UNPUBLISHED } from '../../dns/publish/zone-jobs.ts';
import { DELIVERY, domainJob } from '../domain-jobs.ts';

const AT_ONCE = 1000;
/** Whoever ordered a domain waits so long for our name servers, with their money on hold. */
const PATIENCE = { hours: 24 };

const late = statement<{ id: string }>(
  'registrations_without_zone',
  `SELECT o.service_id AS id FROM orders o
   JOIN tasks t ON t.order_id = o.id AND t.type = '${DELIVERY.register}' AND t.state = 'queued' AND t.finished_at IS NULL
   JOIN zones z ON z.domain_id = o.service_id AND z.removed_at IS NULL AND z.visible_version = 0
   WHERE o.state = 'pending' AND o.created_at <= $1 ORDER BY o.created_at LIMIT ${AT_ONCE}`,
);

/** Has registrations given up whose zones our name servers did not get in time. */
export default maintenanceJob({
  name: 'domain.publication_deadline',
  schedule: '*/10 * * * *',
  async run(pool, { now }) {
    const domains = await pool.run(late, [now.subtract(PATIENCE)]);
    if (domains.length === 0) return;
    await transaction(pool, (tx) =>
      enqueue(
        tx,
        domains.map(({ id }) => domainJob(UNPUBLISHED, id)),
      ),
    );
  },
});
