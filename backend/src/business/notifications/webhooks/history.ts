import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Attempt, DeliveryKind, DeliveryState } from './delivery.ts';

/** A delivery with all that came of it. */
export interface PastDelivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly event_id: string;
  readonly event_type: string;
  readonly sequence: bigint;
  readonly state: DeliveryState;
  readonly log: readonly Attempt[];
  readonly created_at: Instant;
  readonly due_at: Instant | null;
  readonly finished_at: Instant | null;
}

const FOUND = `FROM webhook_deliveries d WHERE d.webhook_id = $1 AND ($2::text IS NULL OR d.state = $2)
  AND ($3::text IS NULL OR d.event_type ILIKE $3)`;

const list = (order: 'asc' | 'desc') =>
  statement<PastDelivery>(
    `list_deliveries_${order}`,
    `SELECT d.id, d.kind, d.event_id, d.event_type, d.sequence, d.state, d.log, d.created_at, d.due_at, d.finished_at
     ${FOUND} ORDER BY d.created_at ${order}, d.id ${order} LIMIT $4 OFFSET $5`,
  );
const listed = { asc: list('asc'), desc: list('desc') };
const count = statement<{ total: bigint }>('count_deliveries', `SELECT count(*) AS total ${FOUND}`);

export interface DeliveryFilter {
  readonly webhookId: string;
  readonly state: DeliveryState | null;
  /** A LIKE pattern for the event's type. */
  readonly type: string | null;
}

/** A webhook's deliveries of the last thirty days, and how many there are. */
export async function listDeliveries(
  db: Executor,
  { webhookId, state, type }: DeliveryFilter,
  page: { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number },
): Promise<{ readonly deliveries: readonly PastDelivery[]; readonly total: number }> {
  const values = [webhookId, state, type];
  const [deliveries, [counted]] = await Promise.all([
    db.run(listed[page.order], [...values, page.limit, page.offset]),
    db.run(count, values),
  ]);
  return { deliveries, total: Number(counted?.total ?? 0n) };
}
