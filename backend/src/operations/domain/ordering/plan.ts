import { randomUUIDv7 } from 'node:crypto';
import { anchorDay, type Instant } from '../../../base/time.ts';
import type { CatalogVersion } from '../../../business/core/catalog/versions.ts';
import type { ExistingZone } from '../../../business/dns/zone/existing.ts';
import type { Domain } from '../../../business/domains/domain.ts';
import { DELIVERY, deliverSoon, PUSH } from '../../../business/domains/domain-jobs.ts';
import {
  type DomainPrices,
  domainLines,
  domainPrices,
  premiumRenewal,
} from '../../../business/domains/price.ts';
import type { Asked, OrderedName } from '../../../business/domains/registration/availability.ts';
import {
  addDomainOrder,
  type ClaimedDomain,
  type ContactIds,
} from '../../../business/domains/registration/ordered.ts';
import { renewalYears } from '../../../business/domains/renewal/renewable.ts';
import { DOMAIN_AUTHCODE, isAuthcodeOf } from '../../../business/domains/transfer/authcode.ts';
import { ANSWER_DAYS, addTransfer } from '../../../business/domains/transfer/transfer.ts';
import { isTransferLocked } from '../../../business/domains/transfer/transfer-lock.ts';
import { consentTo } from '../../../business/selling/orders/consent.ts';
import type { Order, OrderState, UnguardedRequest } from '../../../business/selling/orders/order.ts';
import type { PriceLine } from '../../../business/selling/orders/price.ts';
import { addService } from '../../../business/selling/subscriptions/service.ts';
import { readOrRefuse } from '../dns-import.schema.ts';
import { orderedAnswer } from './answer.ts';
import { availableOrRefuse, confirmedOrRefuse } from './availability.ts';
import type { DomainOrderInput, OrderingContext } from './request.ts';

export type NewDomainInput = DomainOrderInput & { readonly action: 'register' | 'transfer' };

/** A domain that a customer does not have yet, as it is going to be ordered. */
export interface PlannedDomain {
  readonly named: OrderedName;
  readonly input: NewDomainInput;
  readonly id: string;
  /** Another customer of ours who has it now. */
  readonly from: Domain | null;
  /** The registry's prices, if it is a premium name. */
  readonly premium: DomainPrices | null;
  readonly prices: DomainPrices;
  readonly privacy: boolean;
  readonly years: number;
  readonly request: UnguardedRequest;
}

/**
 * Plans a registration or a transfer, or refuses it. `sponsored`: whoever of our customers has the name; it then changes
 * hands without its registry, and at no charge: its term goes with it (rule F2). `existing`: where that was asked for.
 */
export function planNewDomain(
  ctx: OrderingContext,
  state: OrderState,
  named: OrderedName,
  input: NewDomainInput,
  {
    answer,
    obstacle,
    sponsored,
    existing,
  }: Asked & { readonly sponsored: Domain | null; readonly existing: ExistingZone | undefined },
): PlannedDomain {
  const { name, tld } = named;
  const { accountId, tokenId } = ctx.caller;
  const { now } = ctx.uow;
  const { action, period } = input;
  const from = sponsored === null ? null : comingOrRefuse(ctx, sponsored, input);
  if (from === null) availableOrRefuse(ctx, action, answer);
  if (from === null && obstacle !== null) throw ctx.refusal(obstacle);
  if (from === null && action === 'transfer' && !input.dry_run) readOrRefuse(ctx, existing);
  // What comes from another customer is renewed for what it was renewed for by them.
  const premium = from === null ? (answer?.premium ?? null) : premiumOf(from);
  const prices = domainPrices(tld, premium, now);
  if (premium !== null) confirmedOrRefuse(ctx, input, prices);
  const privacy = input.whois_privacy && tld.features.whois_privacy;
  const years = from !== null || (action === 'transfer' && !tld.transfer_extends) ? 0 : period;
  const further = renewalYears(tld, period);
  const id = randomUUIDv7();
  const request: UnguardedRequest = {
    product: 'domain',
    action: 'create',
    accountId,
    tokenId,
    serviceId: id,
    item: tld.tld,
    title: `Domain ${name}, ${action === 'register' ? 'registration' : 'transfer'}`,
    duration: period,
    unit: 'year',
    periodFrom: now,
    anchorDay: anchorDay(now),
    lines: from === null ? domainLines({ tld: tld.tld, action, years, premium, privacy }, now) : pushLines,
    renewal: {
      lines: domainLines({ tld: tld.tld, action: 'renew', years: further, premium, privacy }, null),
    },
    discountCode: input.discount_code,
    consent: consentTo(state.catalog, ctx.locale, ctx.ip),
    settlement: 'hold',
  };
  return { named, input, id, from, premium, prices, privacy, years, request };
}

function premiumOf({ premium_renewal: renewal }: Domain): DomainPrices | null {
  return renewal === null ? null : premiumRenewal(renewal);
}

/** Refuses what a transfer from another customer of ours cannot be. */
function comingOrRefuse(ctx: OrderingContext, found: Domain, input: NewDomainInput): Domain {
  if (input.action === 'register') throw takenName(ctx);
  if (found.account_id === ctx.caller.accountId || found.registry_state !== 'active')
    throw ctx.refusal('state_conflict', { members: { current_state: found.shown_state } });
  const { now } = ctx.uow;
  // Who does not know the code learns nothing of the domain.
  if (!isAuthcodeOf(found, ctx.sealer, input.authcode ?? '', now)) throw ctx.refusal('authcode_invalid');
  if (isTransferLocked(found, now)) throw ctx.refusal('transfer_locked');
  return found;
}

export function takenName(ctx: Pick<OrderingContext, 'refusal'>) {
  return ctx.refusal('domain_not_available', { members: { reason: 'taken' } });
}

const pushLines = (): readonly PriceLine[] => [
  { description: 'Change of customer', quantity: 1, unitPrice: 0n },
];

/** What a quote for it is bound to; of a premium name also the prices that it was made of. */
export function fingerprintOf({ named, input, privacy, premium }: PlannedDomain): string[] {
  const prices =
    premium === null ? '' : `${premium.register} ${premium.renew} ${premium.transfer} ${premium.restore}`;
  return [input.action, named.name, `${input.period}`, `${privacy}`, input.discount_code ?? '', prices];
}

/** The name as it is taken for its customer. */
export function claimOf(
  ctx: Pick<OrderingContext, 'sealer'>,
  { content }: CatalogVersion,
  { named: { name, tld }, input, ...planned }: PlannedDomain,
  contacts: ContactIds,
): ClaimedDomain {
  const { action, authcode } = input;
  return {
    id: planned.id,
    name,
    tld: tld.tld,
    registry: tld.registry,
    state:
      action === 'register' ? 'pending' : planned.from === null ? 'pending_transfer' : 'pending_approval',
    transferLock: input.transfer_lock,
    whoisPrivacy: planned.privacy,
    contacts,
    ...delegation(content.nameservers, input),
    dnssec: input.dnssec,
    premium: planned.premium,
    authcodeSealed: authcode === undefined ? null : ctx.sealer.seal(DOMAIN_AUTHCODE, authcode),
  };
}

/** Ours, unless others were given; of a transfer those that it has (rule F2). */
function delegation(
  ours: readonly string[],
  { nameservers, action }: NewDomainInput,
): Pick<ClaimedDomain, 'nameservers' | 'dnsHosted'> {
  if (nameservers !== undefined) return { nameservers, dnsHosted: false };
  if (action === 'transfer') return { nameservers: null, dnsHosted: false };
  const hosts = ours.map((hostname) => ({ hostname, ipv4: [], ipv6: [] }));
  return { nameservers: hosts, dnsHosted: hosts.length > 0 };
}

/** Adds what comes of its order, once its name is claimed: service, task and job. The order as it is answered. */
export function placeNewDomain(
  ctx: Omit<OrderingContext, 'refusal'>,
  { catalog }: OrderState,
  { named: { name, tld }, input, id, from, premium, prices, years }: PlannedDomain,
  order: Order,
  priority?: 'bulk',
) {
  const { accountId } = ctx.caller;
  const { now } = ctx.uow;
  const { action, period } = input;
  const autoRenew = input.auto_renew ?? true;
  addService(ctx.uow, catalog, {
    id,
    accountId,
    product: 'domain',
    item: tld.tld,
    name,
    customName: input.custom_name || null,
    state: 'pending',
    autoRenew,
    duration: period,
    unit: 'year',
    order,
  });
  addDomainOrder(ctx.uow, {
    order,
    domainId: id,
    action,
    years,
    believedExpireAt: null,
    premium,
  });
  const actAt = now.add({ hours: ANSWER_DAYS * 24 });
  if (from !== null) {
    const push = { direction: 'push', fromDomainId: from.id, orderId: order.id } as const;
    addTransfer(ctx.uow, { domainId: id, ...push, requestedAt: now, actAt });
  }
  const job = from === null ? DELIVERY[action] : PUSH;
  return orderedAnswer({
    order,
    domainId: id,
    name,
    action,
    period,
    expireAt: action === 'register' ? order.price.periodTo : null,
    prices,
    premium: premium !== null,
    nextStep: nextStep(action, from === null ? null : actAt),
    task: deliverSoon(ctx.uow, job, { accountId, domainId: id, orderId: order.id }, priority),
  });
}

function nextStep(action: 'register' | 'transfer', approvalBy: Instant | null) {
  if (action === 'register') return { kind: 'none', detail: null, expiresAt: null } as const;
  const detail =
    approvalBy === null
      ? 'The present registrar has some days to object.'
      : 'Whoever has the domain now has to approve.';
  return { kind: 'registry_approval', detail, expiresAt: approvalBy } as const;
}
