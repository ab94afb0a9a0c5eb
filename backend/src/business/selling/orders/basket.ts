import { randomUUID } from 'node:crypto';
import type { Json } from '../../../base/canonical.ts';
import type { Amount } from '../../../base/money.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { countUse } from './discount.ts';
import {
  claimFunds,
  type Order,
  type OrderOutcome,
  type OrderState,
  type PricedOrder,
  placeOrder,
  priceOrder,
  renewalGrossOf,
  type UnguardedRequest,
  validQuote,
} from './order.ts';
import type { Price } from './price.ts';
import { quoteOf, type StoredQuote, storeQuote } from './quote.ts';

/** What is asked of all orders in a basket together, as {@link OrderRequest} asks it of one. */
export interface BasketGuard {
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly maxPrice: Amount | undefined;
  readonly quoteId: string | undefined;
  readonly dryRun: boolean;
  readonly fingerprint: Json;
}

export type BasketOutcome =
  | { readonly kind: 'ordered'; readonly orders: readonly Order[]; readonly sum: Price }
  /** `each`: of the orders, in order. */
  | {
      readonly kind: 'quoted';
      readonly quote: Extract<OrderOutcome, { kind: 'quoted' }>['quote'];
      readonly each: readonly { readonly price: Price; readonly renewalGross: Amount }[];
    }
  /** `at`: which order is not sold like this. */
  | { readonly kind: 'not_sold'; readonly at: number }
  | Exclude<OrderOutcome, { kind: 'ordered' | 'quoted' | 'not_sold' }>;

/**
 * Decides several orders of one account as one purchase: one quote, one guard, and money for all of them or for none.
 * From then on each is an order of its own, captured or released by itself. A discount code is used for whatever in
 * the basket it is good for, and refused if that is nothing. A refusal leaves the state as it was.
 */
export function decideBasket(
  uow: UnitOfWork,
  state: OrderState,
  requests: readonly UnguardedRequest[],
  guard: BasketGuard,
): BasketOutcome {
  const stored = validQuote(uow, state, guard);
  if (stored?.kind === 'quote_expired' || stored?.kind === 'quote_of_another_request') return stored;
  const priced = priceAll(uow, state, requests, stored?.quote ?? null);
  if ('kind' in priced) return priced;
  const [first] = priced;
  if (first === undefined) throw new RangeError('a basket with nothing in it');
  const { account } = first;
  const sum = sumOf(priced.map(({ price }) => price));
  const { discount } = priced.find((one) => one.discount.now !== null) ?? first;
  const quoted = (id: string | null) => {
    const each = priced.map((one) => ({
      price: one.price,
      renewalGross: renewalGrossOf(state, one.request, one),
    }));
    const renewalGross = each.reduce((total, one) => total + one.renewalGross, 0n);
    return { quote: quoteOf(uow, account, { price: sum, discount, renewalGross }, id), each };
  };
  if (guard.dryRun) {
    const { quote, each } = quoted(randomUUID());
    storeQuote(uow, account, quote, guard.fingerprint);
    return { kind: 'quoted', quote, each };
  }
  const limits = [guard.maxPrice, stored?.quote.gross];
  if (limits.some((limit) => limit !== undefined && sum.gross > limit))
    return { kind: 'price_changed', quote: quoted(null).quote };
  const refusal = claimFunds(uow, account, guard.tokenId, sum.gross);
  if (refusal !== null) return refusal;
  return { kind: 'ordered', orders: priced.map((one) => placeOrder(uow, one.request, one)), sum };
}

type Priced = PricedOrder & { readonly request: UnguardedRequest };

function priceAll(
  uow: UnitOfWork,
  state: OrderState,
  requests: readonly UnguardedRequest[],
  stored: StoredQuote | null,
): readonly Priced[] | Exclude<BasketOutcome, { kind: 'ordered' | 'quoted' }> {
  // Uses are counted while the prices are found, in copies: what was only priced has used nothing up.
  const discounts = new Map(
    [...state.discounts].map(([code, one]) => [code, { ...one, usedBy: new Map(one.usedBy) }]),
  );
  const all: Priced[] = [];
  let isCodeGood = requests.every(({ discountCode }) => !discountCode?.trim());
  for (const [at, request] of requests.entries()) {
    let priced = priceOrder(uow, { ...state, discounts }, request, stored);
    if ('price' in priced) isCodeGood = true;
    else if (priced.kind === 'discount_code_invalid')
      priced = priceOrder(uow, { ...state, discounts }, { ...request, discountCode: undefined }, stored);
    if (!('price' in priced)) return priced.kind === 'not_sold' ? { kind: 'not_sold', at } : priced;
    if (priced.discount.used !== null) countUse(priced.discount.used, priced.account.id);
    all.push({ ...priced, request });
  }
  return isCodeGood ? all : { kind: 'discount_code_invalid' };
}

/** Each order's amounts were rounded by themselves; their sums are what is charged. Periods are those of the first. */
function sumOf(prices: readonly Price[]): Price {
  const [first] = prices;
  if (first === undefined) throw new RangeError('a sum of nothing');
  const sum = (of: (price: Price) => Amount) => prices.reduce((total, price) => total + of(price), 0n);
  return {
    ...first,
    lines: prices.flatMap((price) => price.lines),
    discount: sum((price) => price.discount),
    net: sum((price) => price.net),
    tax: sum((price) => price.tax),
    gross: sum((price) => price.gross),
    fullGross: sum((price) => price.fullGross),
  };
}
