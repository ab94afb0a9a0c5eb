import type { Instant } from '../../../base/time.ts';
import type { Registries, RegistryOutcome } from '../../../drivers/registry/port.ts';
import { refOf } from '../domain.ts';
import { acceptedFee, type OrderedDomain } from '../registration/delivery.ts';
import { missingYears } from './term.ts';

/** The registry's own end afterwards; null: it has none. */
export interface Renewed {
  readonly expireAt: Instant | null;
}

/**
 * Brings the end of a registration to what was paid for, or finds it there: a registry that renews by itself, or did
 * what it was told before its answer was lost, is not told again (rules F1 and F4). Registrations without an end need
 * no renewal. A premium name's price is asked again (rule F5).
 */
export async function renewToPaidEnd(
  registry: Registries,
  ordered: OrderedDomain,
): Promise<RegistryOutcome<Renewed>> {
  const ref = refOf(ordered);
  const found = await registry.info(ref);
  if (found === null || !found.sponsoredHere) return { kind: 'refused', reason: 'not_found' };
  const { expireAt } = found;
  const years = expireAt === null ? 0 : missingYears(expireAt, ordered.period_to);
  if (expireAt === null || years === 0) return { kind: 'done', result: { expireAt } };
  if (ordered.premium_price !== null) {
    const [answer] = await registry.check([ref]);
    const asked = answer?.premium?.renew ?? null;
    if (asked !== null && asked > ordered.premium_price) return { kind: 'refused', reason: 'fee_differs' };
  }
  return await registry.renew({
    ...ref,
    years,
    believedExpireAt: expireAt,
    fee: acceptedFee(ordered, years),
  });
}
