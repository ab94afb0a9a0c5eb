import type { ProductLifecycle } from '../../core/catalog/schema/life.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';
import type { ServiceLifecycle } from '../../selling/subscriptions/product.ts';

/**
 * ICANN's Expired Registration Recovery Policy (§2.1.3) wants a notice within five days after the end. The one that
 * says that a domain was switched off is it.
 */
const LATEST_SWITCH_OFF_DAYS = 5;

/**
 * The life of domains under a TLD: the operator's, bounded by what the registry does by itself (rule F1). An unpaid
 * domain is deleted at the deadline at the latest, because the registry charges us for the next term after it; where
 * that lies before the end of the term, it is renewed so much earlier, too.
 */
export function domainLifecycle(life: ProductLifecycle, { policy }: Pick<Tld, 'policy'>): ServiceLifecycle {
  const deadline = policy.delete_deadline_days;
  const grace = Math.min(life.grace_days, LATEST_SWITCH_OFF_DAYS, deadline);
  const early = life.renew_days + Math.max(0, -deadline);
  return {
    ...life,
    renew_days: Math.min(early, policy.renew_not_before_days ?? early),
    grace_days: grace,
    delete_by_days: deadline,
  };
}
