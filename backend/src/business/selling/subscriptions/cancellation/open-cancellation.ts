import type { Instant } from '../../../../base/time.ts';
import type { Executor } from '../../../../db/pool.ts';
import { statement } from '../../../../db/statement.ts';

/** A cancellation that was not taken back. */
export interface OpenCancellation {
  readonly mode: string;
  readonly effective_at: Instant;
}

const load = statement<OpenCancellation>(
  'load_open_cancellation',
  'SELECT mode, effective_at FROM cancellations WHERE service_id = $1 AND revoked_at IS NULL',
);

/** null: the service is not cancelled. */
export async function openCancellation(db: Executor, serviceId: string): Promise<OpenCancellation | null> {
  return (await db.run(load, [serviceId]))[0] ?? null;
}
