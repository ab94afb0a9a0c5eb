import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Order } from '../../selling/orders/order.ts';
import type { RenewalLines, RenewedService } from '../../selling/subscriptions/product.ts';
import { DELIVERY, deliverSoon } from '../domain-jobs.ts';
import { type DomainPrices, domainLines, premiumRenewal } from '../price.ts';
import { addDomainOrder } from '../registration/ordered.ts';

interface RenewalRow {
  readonly id: string;
  readonly whois_privacy: boolean;
  readonly premium_renewal: bigint | null;
  readonly premium_asked: bigint | null;
}

const load = statement<RenewalRow>(
  'load_domain_renewals',
  'SELECT id, whois_privacy, premium_renewal, premium_asked FROM domains WHERE id = ANY($1::uuid[])',
);

/**
 * What a further term of domains consists of. A premium name is renewed at the price that its customer was shown: one
 * whose registry asks more now is not renewed by itself (rule F5).
 */
export async function domainRenewals(
  db: Executor,
  services: readonly RenewedService[],
): Promise<ReadonlyMap<string, RenewalLines>> {
  if (services.length === 0) return new Map();
  const rows = await db.run(load, [services.map(({ id }) => id)]);
  const known = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    services.flatMap(({ id, item }) => {
      const row = known.get(id);
      return row === undefined || isDearer(row) ? [] : [[id, renewalLines(item, row)]];
    }),
  );
}

/** Whether the registry of a premium name asks more for a year than its customer was shown. */
export function isDearer(row: Pick<RenewalRow, 'premium_renewal' | 'premium_asked'>): boolean {
  const { premium_renewal: shown, premium_asked: asked } = row;
  return shown !== null && asked !== null && asked > shown;
}

function renewalLines(tld: string, row: RenewalRow): RenewalLines {
  const { premium_renewal: shown, whois_privacy: privacy } = row;
  const premium = shown === null ? null : premiumRenewal(shown);
  // How many they are, `renewalYears` says. A year's price that was announced holds for each of them.
  return (catalog, years) => domainLines({ tld, action: 'renew', years, premium, privacy }, null)(catalog);
}

/** A renewal whose money is on hold. */
export interface PaidRenewal {
  readonly order: Pick<Order, 'id' | 'standing'>;
  readonly years: number;
  /** What was shown of a premium name now; left out: what was shown before holds. */
  readonly premium?: DomainPrices | null;
}

/** Has a registry renew a domain; the task, as the wire shows it. */
export function orderRenewal(
  uow: UnitOfWork,
  domain: { readonly id: string; readonly account_id: string; readonly expire_at: Instant },
  { order, years, premium = null }: PaidRenewal,
) {
  addDomainOrder(uow, {
    order,
    domainId: domain.id,
    action: 'renew',
    years,
    believedExpireAt: domain.expire_at,
    premium,
  });
  const ordered = { accountId: domain.account_id, domainId: domain.id, orderId: order.id };
  return deliverSoon(uow, DELIVERY.renew, ordered);
}
