import { type Instant, isBefore } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';
import { RENEWABLE } from '../../selling/subscriptions/service.ts';
import { isToGo } from '../convergence/desired-state.ts';
import type { Domain } from '../domain.ts';
import type { DomainState } from '../state.ts';

/** The longest that registries register ahead. */
const MOST_YEARS = 10;

/**
 * For how many years a domain renews itself whose last term was of so many: as many, where that can be bought. A renewal
 * comes before the end, so a year of those that may be ahead is not over yet. Where the TLD does not sell that term, the
 * next shorter one is taken; where it sells none so short, the shortest: no domain is lost for want of a term.
 */
export function renewalYears({ periods }: Pick<Tld, 'periods'>, last: number): number {
  const most = Math.min(last, MOST_YEARS - 1);
  return periods.findLast((years) => years <= most) ?? periods[0] ?? last;
}

/** Why a domain cannot be renewed, or restored, now. */
export type NotRenewable =
  | { readonly kind: 'state'; readonly current: DomainState | 'cancel_scheduled' | 'renewing' }
  | { readonly kind: 'too_early'; readonly from: Instant }
  | { readonly kind: 'too_long'; readonly most: number };

const pending = statement<{ pending: boolean }>(
  'has_pending_order',
  `SELECT EXISTS (SELECT FROM orders o WHERE o.service_id = $1 AND o.state = 'pending'
     AND NOT EXISTS (SELECT FROM domain_changes c WHERE c.order_id = o.id)) AS pending`,
);

/** Whether further years of it, or its restoration, are ordered and not there yet. */
export async function isBeingRenewed(db: Executor, domainId: string): Promise<boolean> {
  const [found] = await db.run(pending, [domainId]);
  return found?.pending === true;
}

/** What stands against further years of a locked domain; null: nothing does. */
export async function notRenewable(
  db: Executor,
  domain: Domain,
  wanted: {
    readonly action: 'renew' | 'restore';
    readonly years: number;
    readonly tld: Tld;
    readonly now: Instant;
  },
): Promise<NotRenewable | null> {
  const { action, years, tld, now } = wanted;
  if (domain.ends && action === 'renew') return { kind: 'state', current: 'cancel_scheduled' };
  if (!isAsked(domain, action, now)) return { kind: 'state', current: domain.shown_state };
  if (await isBeingRenewed(db, domain.id)) return { kind: 'state', current: 'renewing' };
  const { renew_not_before_days: days } = tld.policy;
  const from = days === null ? null : domain.expire_at.subtract({ hours: days * 24 });
  if (from !== null && isBefore(now, from)) return { kind: 'too_early', from };
  const latest = now.toZonedDateTimeISO('UTC').add({ years: MOST_YEARS }).toInstant();
  const most = yearsUntil(domain.expire_at, latest);
  return years > most ? { kind: 'too_long', most } : null;
}

function isAsked(domain: Domain, action: 'renew' | 'restore', now: Instant): boolean {
  if (action === 'restore') return domain.registry_state === 'redemption';
  return domain.registry_state === 'active' && RENEWABLE.includes(domain.state) && !isToGo(domain, now);
}

function yearsUntil(from: Instant, latest: Instant): number {
  const start = from.toZonedDateTimeISO('UTC');
  let years = 0;
  while (years < MOST_YEARS && !isBefore(latest, start.add({ years: years + 1 }).toInstant())) years += 1;
  return years;
}
