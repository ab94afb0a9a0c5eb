import type { DomainPrices } from '../../../business/domains/price.ts';
import type { RegistryAnswer } from '../../../business/domains/registration/availability.ts';
import type { Refusal, RefusalDetail } from '../../../errors.ts';
import { wireDomainPrices } from '../domain.schema.ts';

type Refuser = {
  refusal(
    code: 'domain_not_available' | 'backend_unavailable' | 'premium_not_confirmed',
    detail?: RefusalDetail,
  ): Refusal;
};

const RETRY_SECONDS = '30';

/** Refuses what a registry says of a name that is ordered: nobody guesses where it says nothing. */
export function availableOrRefuse(
  ctx: Refuser,
  action: 'register' | 'transfer',
  answer: RegistryAnswer,
): void {
  const reason = answer === null ? 'registry_unavailable' : answer.reason;
  if (reason === 'registry_unavailable') throw unavailable(ctx);
  const wanted = action === 'register' ? null : 'taken';
  if (reason !== wanted)
    throw ctx.refusal('domain_not_available', { members: { reason: reason ?? 'not_registered' } });
}

/** A premium name's price must have been confirmed; the refusal says what it is. */
export function confirmedOrRefuse(
  ctx: Refuser,
  input: { readonly premium_confirmed: boolean; readonly dry_run: boolean },
  prices: DomainPrices,
): void {
  if (input.premium_confirmed || input.dry_run) return;
  throw ctx.refusal('premium_not_confirmed', { members: { pricing: wireDomainPrices(prices) } });
}

/** No registry answered in time. */
export function unavailable(ctx: Refuser): Refusal {
  return ctx.refusal('backend_unavailable', {
    members: { backend: 'registry' },
    headers: { 'retry-after': RETRY_SECONDS },
  });
}
