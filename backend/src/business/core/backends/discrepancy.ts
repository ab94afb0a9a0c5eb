import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** Something that the books and a back end say differently, for an operator to look into. */
export interface Discrepancy {
  readonly backend: string;
  readonly kind: string;
  readonly subject: string;
  /** `node`, where it has one, tells whether it can be seen at all. */
  readonly detail: { readonly node?: string } & Readonly<Record<string, unknown>>;
}

/** How far a comparison reached: what it did not find within this is there no more. */
export interface Reach {
  readonly backends: readonly string[];
  readonly kinds: readonly string[];
  /** Left out: all of them. */
  readonly subjects?: readonly string[];
  readonly unreachableNodes: readonly string[];
}

const report = statement<object>(
  'report_discrepancies',
  `INSERT INTO discrepancies (id, backend, kind, subject, detail, found_at, last_seen_at)
   SELECT id, backend, kind, subject, detail, $6, $6
   FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[]) n(id, backend, kind, subject, detail)
   ON CONFLICT (backend, kind, subject) WHERE resolved_at IS NULL
   DO UPDATE SET detail = excluded.detail, last_seen_at = excluded.last_seen_at`,
);
const resolve = statement<object>(
  'resolve_discrepancies',
  `UPDATE discrepancies SET resolved_at = $1
   WHERE resolved_at IS NULL AND last_seen_at < $1 AND backend = ANY($2::text[]) AND kind = ANY($3::text[])
     AND coalesce(detail->>'node', '') <> ALL($4::text[]) AND ($5::text[] IS NULL OR subject = ANY($5))`,
);

/** Records what a comparison found at `now`, and closes what it reached to and did not find any more. */
export async function recordDiscrepancies(
  tx: Transaction,
  found: readonly Discrepancy[],
  reach: Reach,
  now: Instant,
): Promise<void> {
  if (found.length > 0) {
    await tx.run(report, [
      found.map(() => randomUUIDv7()),
      found.map((item) => item.backend),
      found.map((item) => item.kind),
      found.map((item) => item.subject),
      found.map((item) => JSON.stringify(item.detail)),
      now,
    ]);
  }
  await tx.run(resolve, [now, reach.backends, reach.kinds, reach.unreachableNodes, reach.subjects ?? null]);
}

/** Something that a back end may have made for an order that has ended: it is not paid for. */
export interface SuspectedOrphan {
  readonly backend: string;
  /** Where the back end has several; null: it has none. */
  readonly node: string | null;
  readonly kind: string;
  readonly subject: string;
  readonly orderId: string;
}

/** Reports what may be there. The next comparison that reaches the back end keeps the report, or closes it. */
export async function suspectOrphan(
  tx: Transaction,
  suspected: SuspectedOrphan,
  now: Instant,
): Promise<void> {
  const { backend, node, kind, subject, orderId } = suspected;
  const detail = { ...(node === null ? {} : { node }), order_id: orderId, unconfirmed: true };
  await tx.run(report, [[randomUUIDv7()], [backend], [kind], [subject], [JSON.stringify(detail)], now]);
}
