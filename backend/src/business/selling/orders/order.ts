import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Json } from '../../../base/canonical.ts';
import { type Amount, printAmount, wireAmount } from '../../../base/money.ts';
import { type Instant, type TermUnit, termEnd, utcDay } from '../../../base/time.ts';
import type { Transaction } from '../../../db/transaction.ts';
import {
  emit,
  type LockedAccount,
  lockedAccount,
  spend,
  touchAccount,
  type UnitOfWork,
} from '../../../unit-of-work/unit-of-work.ts';
import { selling } from '../../core/catalog/import.ts';
import type { CatalogStore, CatalogVersion } from '../../core/catalog/versions.ts';
import { revenueAccount, taxAccount } from '../../core/ledger/chart.ts';
import { post } from '../../core/ledger/entry.ts';
import { taxationOf } from '../../core/tax/taxation.ts';
import type { Consent } from './consent.ts';
import { applies, type Discount, loadDiscounts, normalizeCode, useDiscount } from './discount.ts';
import { holdInsert, orderInsert } from './order-row.ts';
import { cheapestPrice, type Price, type PriceLine } from './price.ts';
import {
  fingerprintHash,
  loadStoredQuotes,
  type Quote,
  quoteOf,
  type StoredQuote,
  storeQuote,
} from './quote.ts';
import { type RecurringDiscount, type TermDiscount, termDiscount } from './recurring-discount.ts';

/** What every product's orders and renewals have in common; the product adds its lines and its own rows. */
export interface OrderRequest {
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  /** extra: something beside its terms, of a service that is there. */
  readonly action: 'create' | 'renew' | 'extra';
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly serviceId: string;
  /** What is sold, as the catalogue names it: a package's uuid, a TLD. */
  readonly item: string;
  /** For the ledger's text, e.g. the package and the license key's tail. */
  readonly title: string;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly periodFrom: Instant;
  /** Where it ends before a whole term does: what is bought is for the rest of one that is paid. */
  readonly periodTo?: Instant;
  readonly anchorDay: number;
  /** The lines under a given catalogue; null when that catalogue does not sell this. */
  readonly lines: (catalog: CatalogVersion) => readonly PriceLine[] | null;
  /**
   * What the service's next renewal will consist of; left out: of the same lines. `standing`: the discount that it has
   * then; left out: what is left of this order's.
   */
  readonly renewal?: Pick<OrderRequest, 'lines' | 'standing'>;
  /** The version whose price was announced for this renewal; the cheaper of it and today's is charged. */
  readonly announced?: CatalogVersion | undefined;
  readonly discountCode: string | undefined;
  /** A discount that the service keeps for its renewals; what a code does beside it says {@link termDiscount}. */
  readonly standing?: RecurringDiscount | null;
  readonly maxPrice: Amount | undefined;
  readonly quoteId: string | undefined;
  readonly dryRun: boolean;
  /** What a quote is bound to: the request without its price guard. */
  readonly fingerprint: Json;
  /** What the customer agreed to; null for renewals. */
  readonly consent: Consent | null;
  /** Renewed by itself: invoiced together with the others of its day. */
  readonly automatic?: boolean;
  /** The basket that it was ordered in: invoiced together with the others in it. */
  readonly basketId?: string;
  /** charge: the product is there at once. hold: a job delivers it, then captures the hold. */
  readonly settlement: 'charge' | 'hold';
}

/** An order without its guard: what it is, not what may stand against it. */
export type UnguardedRequest = Omit<OrderRequest, 'maxPrice' | 'quoteId' | 'dryRun' | 'fingerprint'>;

export interface Order {
  readonly id: string;
  readonly entryId: string;
  readonly price: Price;
  readonly discountCode: string | null;
  /** The discount that the service keeps for the terms after this one. */
  readonly standing: RecurringDiscount | null;
  readonly state: 'pending' | 'completed';
}

export type OrderOutcome =
  | { readonly kind: 'ordered'; readonly order: Order }
  | { readonly kind: 'quoted'; readonly quote: Quote }
  | { readonly kind: 'not_sold' }
  | { readonly kind: 'account_suspended' }
  | { readonly kind: 'discount_code_invalid' }
  | { readonly kind: 'quote_expired' }
  | { readonly kind: 'quote_of_another_request' }
  | { readonly kind: 'price_changed'; readonly quote: Quote }
  | { readonly kind: 'spending_limit_exceeded'; readonly remaining: Amount; readonly currency: string }
  | {
      readonly kind: 'insufficient_funds';
      readonly required: Amount;
      readonly available: Amount;
      readonly currency: string;
    };

/** What deciding orders needs beside the unit of work. */
export interface OrderState {
  readonly catalog: CatalogVersion;
  readonly quotedCatalogs: ReadonlyMap<number, CatalogVersion>;
  readonly discounts: ReadonlyMap<string, Discount>;
  readonly quotes: ReadonlyMap<string, StoredQuote>;
}

/** Reads, for many requests at once, what their decisions depend on. Sends nothing that nobody asked for. */
export async function loadOrderState(
  tx: Transaction,
  catalogs: CatalogStore,
  requests: readonly { accountId: string; discountCode: string | undefined; quoteId: string | undefined }[],
): Promise<OrderState> {
  const codes = new Set<string>();
  for (const request of requests) {
    const code = normalizeCode(request.discountCode);
    if (code !== null) codes.add(code);
  }
  const quoteIds = requests.flatMap((request) => request.quoteId ?? []);
  const [, catalog, discounts, quotes] = await Promise.all([
    tx.run(selling, []),
    catalogs.newest(tx),
    loadDiscounts(tx, [...codes], [...new Set(requests.map((request) => request.accountId))]),
    loadStoredQuotes(tx, quoteIds),
  ]);
  const quotedCatalogs = new Map<number, CatalogVersion>();
  for (const version of new Set([...quotes.values()].map((quote) => quote.price_version))) {
    quotedCatalogs.set(version, await catalogs.version(tx, version));
  }
  return { catalog, quotedCatalogs, discounts, quotes };
}

/** An order whose price is known, and which nothing but the guard, the budget and the funds stands against. */
export interface PricedOrder {
  readonly account: LockedAccount;
  readonly price: Price;
  readonly discount: TermDiscount;
}

type OutcomeOf<Kind extends OrderOutcome['kind']> = Extract<OrderOutcome, { kind: Kind }>;

/**
 * Decides one order: prices it, checks code, guard, budget and funds, and adds order, money and events to
 * the unit of work's changes. Whatever it refuses leaves the state as it was.
 */
export function decideOrder(uow: UnitOfWork, state: OrderState, request: OrderRequest): OrderOutcome {
  const stored = validQuote(uow, state, request);
  if (stored?.kind === 'quote_expired' || stored?.kind === 'quote_of_another_request') return stored;
  const priced = priceOrder(uow, state, request, stored?.quote ?? null);
  if (!('price' in priced)) return priced;
  const { account, price, discount } = priced;
  const quoted = (id: string | null) => {
    const renewalGross = renewalGrossOf(state, request, priced);
    return quoteOf(uow, account, { price, discount, renewalGross }, id);
  };
  if (request.dryRun) {
    const quote = quoted(randomUUID());
    storeQuote(uow, account, quote, request.fingerprint);
    return { kind: 'quoted', quote };
  }
  const limits = [request.maxPrice, stored?.quote.gross];
  if (limits.some((limit) => limit !== undefined && price.gross > limit)) {
    return { kind: 'price_changed', quote: quoted(null) };
  }
  const refusal = claimFunds(uow, account, request.tokenId, price.gross);
  return refusal ?? { kind: 'ordered', order: placeOrder(uow, request, priced) };
}

/** The quote that a request names, when it holds for it; null: it names none. */
export function validQuote(
  uow: UnitOfWork,
  state: OrderState,
  request: Pick<OrderRequest, 'accountId' | 'quoteId' | 'fingerprint'>,
): { kind: 'valid'; quote: StoredQuote } | OutcomeOf<'quote_expired' | 'quote_of_another_request'> | null {
  if (request.quoteId === undefined) return null;
  const quote = state.quotes.get(request.quoteId);
  if (quote === undefined || quote.account_id !== request.accountId) return { kind: 'quote_expired' };
  if (Temporal.Instant.compare(uow.now, quote.valid_until) >= 0) return { kind: 'quote_expired' };
  if (!quote.request_hash.equals(fingerprintHash(request.fingerprint)))
    return { kind: 'quote_of_another_request' };
  return { kind: 'valid', quote };
}

/** What an order costs; nothing is changed by it. A valid quote is priced by the catalogue that it was made from. */
export function priceOrder(
  uow: UnitOfWork,
  state: OrderState,
  request: UnguardedRequest,
  stored: StoredQuote | null,
): PricedOrder | OutcomeOf<'account_suspended' | 'discount_code_invalid' | 'not_sold'> {
  const account = lockedAccount(uow, request.accountId);
  if (account.state !== 'active') return { kind: 'account_suspended' };
  const code = normalizeCode(request.discountCode);
  const given = code === null ? null : (state.discounts.get(code) ?? null);
  const use = { product: request.product, item: request.item, accountId: account.id };
  if (code !== null && (given === null || !applies(given, use, uow.now))) {
    return { kind: 'discount_code_invalid' };
  }
  const discount = termDiscount(request.standing ?? null, given);
  const catalog =
    stored === null ? state.catalog : (state.quotedCatalogs.get(stored.price_version) ?? state.catalog);
  const term = { duration: request.duration, unit: request.unit };
  const price = cheapestPrice([catalog, request.announced ?? catalog], request.lines, {
    taxation: taxationOf(state.catalog, account, uow.now),
    discount: discount.now?.percent ?? 0,
    periodFrom: request.periodFrom,
    periodTo: request.periodTo ?? termEnd(request.periodFrom, term, request.anchorDay),
  });
  return price === null ? { kind: 'not_sold' } : { account, price, discount };
}

/** What the first renewal after an order costs at today's prices; nothing where it would not be sold. */
export function renewalGrossOf(
  { catalog }: OrderState,
  { lines, renewal = { lines } }: UnguardedRequest,
  { price, discount }: PricedOrder,
): Amount {
  const { lines: further, standing: then = discount.after } = renewal;
  const { taxation, periodFrom, periodTo } = price;
  const term = { taxation, discount: then?.percent ?? 0, periodFrom, periodTo };
  return cheapestPrice([catalog], further, term)?.gross ?? 0n;
}

/** Whether there is money for it, and room in the token's budget, where it is then counted; null: there is. */
export function claimFunds(
  uow: UnitOfWork,
  account: LockedAccount,
  tokenId: string | null,
  gross: Amount,
): OutcomeOf<'insufficient_funds' | 'spending_limit_exceeded'> | null {
  const { currency } = account;
  const available = account.balance - account.reserved + account.creditLimit;
  if (gross > 0n && available < gross) {
    return { kind: 'insufficient_funds', required: gross, available, currency };
  }
  const overBudget = spend(uow, tokenId, gross);
  return overBudget === null
    ? null
    : { kind: 'spending_limit_exceeded', remaining: overBudget.remaining, currency };
}

/** Adds a priced order, whose funds are claimed, to the unit of work's changes. */
export function placeOrder(
  uow: UnitOfWork,
  request: UnguardedRequest,
  { account, price, discount }: PricedOrder,
): Order {
  const charge = request.settlement === 'charge';
  const description = describe(request, price);
  const order: Order = {
    id: randomUUIDv7(),
    entryId: randomUUIDv7(),
    price,
    discountCode: discount.now?.code ?? null,
    standing: discount.after,
    state: charge ? 'completed' : 'pending',
  };
  uow.changes.add(orderInsert, {
    id: order.id,
    account_id: account.id,
    token_id: request.tokenId,
    product: request.product,
    action: request.action,
    service_id: request.serviceId,
    state: order.state,
    price_version: price.version,
    currency: price.currency,
    lines: JSON.stringify(price.lines.map(storedLine)),
    net: price.net,
    discount: price.discount,
    tax_kind: price.taxation.kind,
    tax_country: price.taxation.country,
    tax_rate: price.taxation.rate,
    address_version: account.addressVersion,
    tax: price.tax,
    gross: price.gross,
    description,
    automatic: request.automatic ?? false,
    basket_id: request.basketId ?? null,
    discount_code: order.discountCode,
    duration: request.duration,
    duration_unit: request.unit,
    period_from: price.periodFrom,
    period_to: price.periodTo,
    terms_version: request.consent?.version ?? null,
    consent_hash: request.consent?.hash ?? null,
    consent_ip: request.consent?.ip ?? null,
    entry_id: order.entryId,
    created_at: uow.now,
    closed_at: charge ? uow.now : null,
  });
  if (discount.used !== null) useDiscount(uow, discount.used, account.id, order.id);
  if (charge) {
    postOrder(uow, account, {
      orderId: order.id,
      entryId: order.entryId,
      product: request.product,
      action: request.action,
      serviceId: request.serviceId,
      description,
      gross: price.gross,
      tax: price.tax,
      taxRate: price.taxation.rate,
    });
  } else {
    account.reserved += price.gross;
    touchAccount(uow, account);
    uow.changes.add(holdInsert, {
      order_id: order.id,
      account_id: account.id,
      amount: price.gross,
      state: 'open',
      entry_id: order.entryId,
      created_at: uow.now,
    });
  }
  return order;
}

export interface PaidOrder {
  readonly orderId: string;
  readonly entryId: string;
  readonly product: OrderRequest['product'];
  readonly action: OrderRequest['action'];
  readonly serviceId: string;
  readonly description: string;
  readonly gross: Amount;
  readonly tax: Amount;
  readonly taxRate: number;
}

/** The one entry that an order makes: customer, revenue and tax. */
export function postOrder(uow: UnitOfWork, account: LockedAccount, paid: PaidOrder): void {
  const resource = { type: paid.product, id: paid.serviceId };
  post(uow, account, {
    id: paid.entryId,
    kind: paid.action === 'renew' ? 'renewal' : 'order',
    amount: -paid.gross,
    tax: paid.tax,
    description: paid.description,
    orderId: paid.orderId,
    resource,
    counterparts: [
      { ledgerAccount: revenueAccount(paid.product), amount: paid.gross - paid.tax },
      { ledgerAccount: taxAccount(paid.taxRate), amount: paid.tax },
    ],
  });
  emit(uow, account, {
    type: 'order.paid',
    resource,
    body: { order_id: paid.orderId, gross_minor: Number(paid.gross), currency: account.currency },
  });
}

function describe(request: UnguardedRequest, price: Price): string {
  const unit = request.duration === 1 ? request.unit : `${request.unit}s`;
  const discount =
    price.discount > 0n ? `, discount ${printAmount(price.fullGross - price.gross, price.currency)}` : '';
  const period =
    request.periodTo === undefined ? `${request.duration} ${unit}` : `until ${utcDay(request.periodTo)}`;
  return `${request.title}, ${period}${discount}`;
}

function storedLine(line: Price['lines'][number]): Json {
  return {
    description: line.description,
    quantity: line.quantity,
    unit_price: line.unitPrice.toString(),
    net: wireAmount(line.net),
  };
}
