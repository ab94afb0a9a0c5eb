import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

const revive = statement<object>(
  'revive_service',
  `WITH revoked AS (
     UPDATE cancellations SET revoked_at = $2 WHERE service_id = $1 AND revoked_at IS NULL)
   UPDATE services SET ended_at = NULL, delete_at = NULL WHERE id = $1`,
);

/** Takes back that a service has ended; whoever calls renews it in the same transaction. Its account must be locked. */
export async function reviveService(tx: Transaction, serviceId: string, now: Instant): Promise<void> {
  await tx.run(revive, [serviceId, now]);
}
