import { fieldProblem, maxPriceOf, orderOrRefuse } from '../../../api/order.ts';
import { anchorDay, isBefore, wireTime } from '../../../base/time.ts';
import { type Domain, domain } from '../../../business/domains/domain.ts';
import { DELIVERY, deliverSoon } from '../../../business/domains/domain-jobs.ts';
import {
  type DomainPrices,
  domainLines,
  domainPrices,
  premiumRenewal,
} from '../../../business/domains/price.ts';
import type { OrderedName, RegistryAnswer } from '../../../business/domains/registration/availability.ts';
import { addDomainOrder } from '../../../business/domains/registration/ordered.ts';
import {
  type NotRenewable,
  notRenewable,
  renewalYears,
} from '../../../business/domains/renewal/renewable.ts';
import { orderRenewal } from '../../../business/domains/renewal/renewal.ts';
import { decideOrder, type OrderState } from '../../../business/selling/orders/order.ts';
import { recurringDiscountFrom } from '../../../business/selling/orders/recurring-discount.ts';
import { nextTerm } from '../../../business/selling/subscriptions/renewal/renew.ts';
import { announcedVersions } from '../../../business/selling/subscriptions/renewal/renewal-price.ts';
import { changeSettings } from '../../../business/selling/subscriptions/settings.ts';
import type { Refusal } from '../../../errors.ts';
import { orderedAnswer, quotedAnswer } from './answer.ts';
import { confirmedOrRefuse, unavailable } from './availability.ts';
import type { DomainOrderInput, OrderingContext } from './request.ts';

/** Orders further years of a domain that the customer has; a deleted one is restored with them. */
export async function orderFurtherYears(
  tx: Parameters<typeof domain.lock>[0],
  ctx: OrderingContext,
  state: OrderState,
  { name, tld }: OrderedName,
  input: DomainOrderInput & { readonly action: 'renew' | 'restore' },
  answer: RegistryAnswer,
) {
  const { accountId, tokenId } = ctx.caller;
  const { now } = ctx.uow;
  const { action, period } = input;
  const found = await ownDomain(tx, ctx, name);
  // What is paid for is not paid for again: a restoration within the term brings the rest of it.
  const isWithinTerm = action === 'restore' && isBefore(now, found.expire_at);
  const years = isWithinTerm ? 0 : period;
  const obstacle = await notRenewable(tx, found, { action, years, tld, now });
  if (obstacle !== null) throw refused(ctx, obstacle);
  const premium = premiumOrRefuse(ctx, found, input, answer);
  const prices = domainPrices(tld, premium, now);
  const term = nextTerm('domain', found, now);
  const announced = await announcedVersions(tx, ctx.catalogs, [found]);
  const { whois_privacy: privacy } = found;
  const lines = domainLines({ tld: tld.tld, action, years, premium, privacy }, now);
  // The term that a restoration brings the rest of is the last one, and goes on as that.
  const further = renewalYears(tld, isWithinTerm ? found.duration : years);
  const standing = recurringDiscountFrom(found);
  const outcome = decideOrder(ctx.uow, state, {
    product: 'domain',
    action: isWithinTerm ? 'extra' : 'renew',
    accountId,
    tokenId,
    serviceId: found.id,
    item: found.item,
    title: `Domain ${name}, ${action === 'renew' ? 'renewal' : 'restoration'}`,
    // What is paid once is for no time that could be paid back for.
    ...(isWithinTerm
      ? { duration: 1, unit: 'hour', periodFrom: now, anchorDay: anchorDay(now) }
      : { duration: years, unit: 'year', periodFrom: term.from, anchorDay: term.anchorDay }),
    lines,
    renewal: {
      lines: domainLines({ tld: tld.tld, action: 'renew', years: further, premium, privacy }, null),
      // It uses up no term of the discount.
      ...(isWithinTerm ? { standing } : {}),
    },
    // What was announced is the price of the term that it renews itself for.
    announced:
      action === 'renew' && years === renewalYears(tld, found.duration)
        ? announced.get(found.announced_version ?? 0)
        : undefined,
    discountCode: input.discount_code,
    standing,
    maxPrice: maxPriceOf(input),
    quoteId: input.quote_uuid,
    dryRun: input.dry_run,
    fingerprint: [
      'domain/order',
      action,
      found.id,
      years,
      input.discount_code ?? '',
      `${premium?.renew ?? ''}`,
    ],
    consent: null,
    settlement: 'hold',
  });
  const result = orderOrRefuse(ctx, outcome, { pointer: '/period', allowed: tld.periods });
  if ('quote' in result) return quotedAnswer(name, result.quote);
  const { order } = result;
  // At once: whatever is set until the registry has answered holds.
  if (input.auto_renew !== undefined)
    changeSettings(ctx.uow, found, { ...found, auto_renew: input.auto_renew });
  return orderedAnswer({
    order,
    domainId: found.id,
    name,
    action,
    period: years,
    expireAt: isWithinTerm ? found.expire_at : order.price.periodTo,
    prices,
    premium: premium !== null,
    nextStep: { kind: 'none', detail: null, expiresAt: null },
    task:
      action === 'renew'
        ? orderRenewal(ctx.uow, found, { order, years, premium })
        : orderRestoration(ctx, found, { order, years, premium }),
  });
}

async function ownDomain(
  tx: Parameters<typeof domain.lock>[0],
  ctx: OrderingContext,
  name: string,
): Promise<Domain> {
  const { accountId, resourceAllowlist: only } = ctx.caller;
  const found = await domain.lock(tx, { accountId, uuid: name });
  if (found === null || (only !== null && !only.includes(found.id))) throw ctx.refusal('not_found');
  return found;
}

/** What a premium name costs now, if its customer agrees; the registry's word is needed for that (rule F5). */
function premiumOrRefuse(
  ctx: OrderingContext,
  found: Domain,
  input: DomainOrderInput,
  answer: RegistryAnswer,
): DomainPrices | null {
  if (!found.premium) return null;
  if (answer === null || answer.reason === 'registry_unavailable') throw unavailable(ctx);
  const premium = answer.premium ?? premiumRenewal(found.premium_renewal ?? 0n);
  const dearer = premium.renew > (found.premium_renewal ?? 0n);
  if (dearer || input.action === 'restore') confirmedOrRefuse(ctx, input, premium);
  return premium;
}

function orderRestoration({ uow }: OrderingContext, found: Domain, paid: Parameters<typeof orderRenewal>[2]) {
  const { order, years, premium = null } = paid;
  const believedExpireAt = found.expire_at;
  addDomainOrder(uow, {
    order,
    domainId: found.id,
    action: 'restore',
    years,
    believedExpireAt,
    premium,
  });
  return deliverSoon(uow, DELIVERY.restore, {
    accountId: found.account_id,
    domainId: found.id,
    orderId: order.id,
  });
}

function refused(ctx: OrderingContext, obstacle: NotRenewable): Refusal {
  switch (obstacle.kind) {
    case 'state':
      return ctx.refusal('state_conflict', { members: { current_state: obstacle.current } });
    case 'too_early':
      return ctx.refusal('state_conflict', {
        members: { current_state: 'active', renewable_from: wireTime(obstacle.from) },
      });
    case 'too_long':
      return ctx.refusal(
        'period_not_allowed',
        fieldProblem('/period', 'out_of_range', `At most ${obstacle.most} years can be added now.`, {
          limit: obstacle.most,
        }),
      );
  }
}
