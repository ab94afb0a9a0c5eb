import { z } from 'zod';
import { type UnitPrice, wireAmount } from '../base/money.ts';
import { wireTime } from '../base/time.ts';
import type { Product } from '../business/core/catalog/schema/product.ts';
import type { CatalogVersion } from '../business/core/catalog/versions.ts';
import { decideOrder, type OrderState } from '../business/selling/orders/order.ts';
import type { PriceLine } from '../business/selling/orders/price.ts';
import { recurringDiscountFrom } from '../business/selling/orders/recurring-discount.ts';
import { converge } from '../business/selling/subscriptions/product.ts';
import { nextTerm, type Renewable, renewService } from '../business/selling/subscriptions/renewal/renew.ts';
import { RENEWABLE } from '../business/selling/subscriptions/service.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import { lockedAccount, type UnitOfWork } from '../unit-of-work/unit-of-work.ts';
import { duration, durationUnit, money, pricings, timestamp, uuid } from './field.ts';
import {
  charged,
  codeOfFurtherTerm,
  maxPriceOf,
  ORDER_ERRORS,
  orderFields,
  orderOrRefuse,
  wireCharged,
  wirePricings,
  wireQuote,
} from './order.ts';

/** What the renewal of every product takes, beside its uuid. */
export const renewalFields = {
  duration,
  duration_unit: durationUnit.default('month'),
  auto_renew: z.boolean().optional(),
  expected_expire_at: timestamp
    .optional()
    .describe('The end that you want to go beyond: if it was renewed meanwhile, nothing is charged.'),
  ...orderFields,
  discount_code: codeOfFurtherTerm,
};

export const RENEWAL_ERRORS = ['state_conflict', 'version_mismatch', ...ORDER_ERRORS] as const;

/** What it answers, beside what it renewed. */
export const renewedFields = {
  order_id: uuid,
  duration: z.int(),
  duration_unit: durationUnit,
  previous_expire_at: timestamp,
  expire_at: timestamp,
  pricings,
  charged,
  transaction_uuid: uuid,
  balance: money,
  state: z
    .enum(['ACTIVE', 'SUSPENDED'])
    .describe('SUSPENDED while a reason remains that payment does not lift.'),
};

/** A service that its customer renews, and what only its product knows about that. */
export interface Renewing<T extends RenewedService> {
  readonly product: Product;
  readonly service: T;
  /** For the ledger's text. */
  readonly title: string;
  readonly lines: (catalog: CatalogVersion) => readonly PriceLine[] | null;
  /** The versions whose prices were announced, by their numbers. */
  readonly announced: ReadonlyMap<number, CatalogVersion>;
  readonly pricings: { readonly year: UnitPrice; readonly month: UnitPrice; readonly hour: UnitPrice };
  /** The terms that it is sold for. */
  readonly terms: readonly unknown[];
}

interface RenewedService extends Renewable {
  readonly item: string;
  readonly announced_version: number | null;
  /** Whether it ends with its term, by the customer's wish. */
  readonly ends: boolean;
}

interface RenewalInput {
  readonly duration: number;
  readonly duration_unit: 'hour' | 'month' | 'year';
  readonly auto_renew?: boolean | undefined;
  readonly expected_expire_at?: string | undefined;
  readonly discount_code?: string | undefined;
  readonly max_price?: number | undefined;
  readonly quote_uuid?: string | undefined;
  readonly dry_run: boolean;
}

interface RenewalContext {
  readonly uow: UnitOfWork;
  readonly caller: { readonly accountId: string; readonly tokenId: string };
  refusal(code: (typeof RENEWAL_ERRORS)[number], detail?: RefusalDetail): Refusal;
}

/**
 * Charges a further term of a service, whose row is locked, and switches it on if payment can; or only quotes it.
 * Answers the service as it is then, and the fields that the renewals of all products have in common.
 */
export function renewOrRefuse<T extends RenewedService>(
  ctx: RenewalContext,
  orders: OrderState,
  { product, service, title, lines, announced, pricings, terms }: Renewing<T>,
  input: RenewalInput,
) {
  const { accountId, tokenId } = ctx.caller;
  if (!RENEWABLE.includes(service.state) || service.ends) {
    const current = service.ends ? 'cancel_scheduled' : service.state;
    throw ctx.refusal('state_conflict', { members: { current_state: current, allowed_states: RENEWABLE } });
  }
  const expireAt = wireTime(service.expire_at);
  if (input.expected_expire_at !== undefined && input.expected_expire_at !== expireAt) {
    throw ctx.refusal('version_mismatch', {
      members: { current_version: service.version, expire_at: expireAt },
    });
  }
  const term = nextTerm(product, service, ctx.uow.now);
  const outcome = decideOrder(ctx.uow, orders, {
    product,
    action: 'renew',
    accountId,
    tokenId,
    serviceId: service.id,
    item: service.item,
    title,
    duration: input.duration,
    unit: input.duration_unit,
    periodFrom: term.from,
    anchorDay: term.anchorDay,
    lines,
    // What was announced is the price of a further term like the last one.
    announced:
      input.duration === service.duration && input.duration_unit === service.duration_unit
        ? announced.get(service.announced_version ?? 0)
        : undefined,
    discountCode: input.discount_code,
    standing: recurringDiscountFrom(service),
    maxPrice: maxPriceOf(input),
    quoteId: input.quote_uuid,
    dryRun: input.dry_run,
    fingerprint: ['renew', service.id, input.duration, input.duration_unit, input.discount_code ?? ''],
    consent: null,
    settlement: 'charge',
  });
  const result = orderOrRefuse(ctx, outcome, { pointer: '/duration', allowed: terms });
  if ('quote' in result) return { kind: 'quoted', quote: wireQuote(result.quote) } as const;
  const { order } = result;
  const renewed = renewService(ctx.uow, orders.catalog, product, service, {
    order,
    duration: input.duration,
    unit: input.duration_unit,
    anchorDay: term.anchorDay,
    autoRenew: input.auto_renew ?? service.auto_renew,
  });
  if (renewed.state !== service.state) converge(ctx.uow, { id: service.id, product });
  const state: 'ACTIVE' | 'SUSPENDED' = renewed.state === 'suspended' ? 'SUSPENDED' : 'ACTIVE';
  return {
    kind: 'renewed',
    service: renewed,
    answer: {
      order_id: order.id,
      duration: input.duration,
      duration_unit: input.duration_unit,
      previous_expire_at: expireAt,
      expire_at: wireTime(renewed.expire_at),
      pricings: wirePricings(pricings),
      charged: wireCharged(order.price),
      transaction_uuid: order.entryId,
      balance: wireAmount(lockedAccount(ctx.uow, accountId).balance),
      state,
    },
  } as const;
}
