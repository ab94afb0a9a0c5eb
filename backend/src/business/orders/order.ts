import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Json } from '../../base/canonical.ts';
import { type Amount, printAmount, wireAmount } from '../../base/money.ts';
import { type Instant, type TermUnit, termEnd } from '../../base/time.ts';
import { bulkInsert } from '../../db/changes.ts';
import type { Transaction } from '../../db/transaction.ts';
import {
  emit,
  type Frame,
  type LockedAccount,
  lockedAccount,
  spend,
  touchAccount,
} from '../accounts/frame.ts';
import { selling } from '../catalog/import.ts';
import type { CatalogStore, CatalogVersion } from '../catalog/versions.ts';
import { post } from '../ledger/entry.ts';
import { applies, type Discount, loadDiscounts, normalizeCode, useDiscount } from './discount.ts';
import { type Price, type PriceLine, priceOf } from './price.ts';
import {
  fingerprintHash,
  loadStoredQuotes,
  type Quote,
  quoteOf,
  type StoredQuote,
  storeQuote,
} from './quote.ts';

/** What every product's orders and renewals have in common; the product adds its lines and its own rows. */
export interface OrderRequest {
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  readonly action: 'create' | 'renew';
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly serviceId: string;
  /** For the ledger's text, e.g. the package and the license key's tail. */
  readonly title: string;
  readonly duration: number;
  readonly unit: TermUnit;
  readonly periodFrom: Instant;
  readonly anchorDay: number;
  /** The lines under a given catalogue; null when that catalogue does not sell this. */
  readonly lines: (catalog: CatalogVersion) => readonly PriceLine[] | null;
  readonly discountCode: string | undefined;
  readonly maxPrice: Amount | undefined;
  readonly quoteId: string | undefined;
  readonly dryRun: boolean;
  /** What a quote is bound to: the request without its price guard. */
  readonly fingerprint: Json;
  readonly termsVersion: string | null;
  /** charge: the product is there at once. hold: a job delivers it, then captures the hold. */
  readonly settlement: 'charge' | 'hold';
}

export interface Order {
  readonly id: string;
  readonly entryId: string;
  readonly price: Price;
  readonly discountCode: string | null;
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

/** What deciding orders needs beside the frame. */
export interface OrderState {
  readonly catalog: CatalogVersion;
  readonly quotedCatalogs: ReadonlyMap<number, CatalogVersion>;
  readonly discounts: ReadonlyMap<string, Discount>;
  readonly quotes: ReadonlyMap<string, StoredQuote>;
}

/** Reads, for many requests at once, what their decisions depend on. Sends nothing that nobody asked for. */
export async function loadOrderState(
  tx: Transaction,
  catalogs: CatalogStore | undefined,
  requests: readonly { accountId: string; discountCode: string | undefined; quoteId: string | undefined }[],
): Promise<OrderState> {
  if (catalogs === undefined) throw new Error('nothing to load for');
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

/**
 * Decides one order: prices it, checks code, guard, budget and funds, and adds order, money and events to
 * the frame's changes. Whatever it refuses leaves the state as it was.
 */
export function decideOrder(frame: Frame, state: OrderState, request: OrderRequest): OrderOutcome {
  const account = lockedAccount(frame, request.accountId);
  if (account.state !== 'active') return { kind: 'account_suspended' };
  const code = normalizeCode(request.discountCode);
  const discount = code === null ? null : (state.discounts.get(code) ?? null);
  if (code !== null && (discount === null || !applies(discount, request.product, account.id, frame.now))) {
    return { kind: 'discount_code_invalid' };
  }

  const stored = request.quoteId === undefined ? undefined : state.quotes.get(request.quoteId);
  if (request.quoteId !== undefined) {
    if (stored === undefined || stored.account_id !== account.id) return { kind: 'quote_expired' };
    if (Temporal.Instant.compare(frame.now, stored.valid_until) >= 0) return { kind: 'quote_expired' };
    if (!stored.request_hash.equals(fingerprintHash(request.fingerprint)))
      return { kind: 'quote_of_another_request' };
  }
  // A valid quote is priced by the catalogue that it was made from.
  const catalog =
    stored === undefined ? state.catalog : (state.quotedCatalogs.get(stored.price_version) ?? state.catalog);
  const lines = request.lines(catalog);
  if (lines === null) return { kind: 'not_sold' };

  const price = priceOf({
    version: catalog.version,
    currency: catalog.content.currency,
    taxRate: catalog.content.tax_rate,
    lines,
    discount: discount?.percent ?? 0,
    periodFrom: request.periodFrom,
    periodTo: termEnd(
      request.periodFrom,
      { duration: request.duration, unit: request.unit },
      request.anchorDay,
    ),
  });
  if (request.dryRun) {
    const quote = quoteOf(frame, account, price, code, randomUUID());
    storeQuote(frame, account, quote, request.fingerprint);
    return { kind: 'quoted', quote };
  }
  const limits = [request.maxPrice, stored?.gross];
  if (limits.some((limit) => limit !== undefined && price.gross > limit)) {
    return { kind: 'price_changed', quote: quoteOf(frame, account, price, code, null) };
  }
  const available = account.balance - account.reserved + account.creditLimit;
  if (price.gross > 0n && available < price.gross) {
    return { kind: 'insufficient_funds', required: price.gross, available, currency: account.currency };
  }
  const overBudget = spend(frame, request.tokenId, price.gross);
  if (overBudget !== null) {
    return { kind: 'spending_limit_exceeded', remaining: overBudget.remaining, currency: account.currency };
  }
  return { kind: 'ordered', order: place(frame, account, request, price, discount) };
}

function place(
  frame: Frame,
  account: LockedAccount,
  request: OrderRequest,
  price: Price,
  discount: Discount | null,
): Order {
  const charge = request.settlement === 'charge';
  const order: Order = {
    id: randomUUIDv7(),
    entryId: randomUUIDv7(),
    price,
    discountCode: discount?.code ?? null,
    state: charge ? 'completed' : 'pending',
  };
  frame.changes.add(orderInsert, {
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
    tax_rate: price.taxRate,
    tax: price.tax,
    gross: price.gross,
    discount_code: order.discountCode,
    duration: request.duration,
    duration_unit: request.unit,
    period_from: price.periodFrom,
    period_to: price.periodTo,
    terms_version: request.termsVersion,
    entry_id: order.entryId,
    created_at: frame.now,
    closed_at: charge ? frame.now : null,
  });
  if (discount !== null) useDiscount(frame, discount, account.id, order.id);
  if (charge) {
    postOrder(frame, account, {
      orderId: order.id,
      entryId: order.entryId,
      product: request.product,
      action: request.action,
      serviceId: request.serviceId,
      description: describe(request, price),
      gross: price.gross,
      tax: price.tax,
      taxRate: price.taxRate,
    });
  } else {
    account.reserved += price.gross;
    touchAccount(frame, account);
    frame.changes.add(holdInsert, {
      order_id: order.id,
      account_id: account.id,
      amount: price.gross,
      state: 'open',
      entry_id: order.entryId,
      created_at: frame.now,
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
export function postOrder(frame: Frame, account: LockedAccount, paid: PaidOrder): void {
  const resource = { type: paid.product, id: paid.serviceId };
  post(frame, account, {
    id: paid.entryId,
    kind: paid.action === 'renew' ? 'renewal' : 'order',
    amount: -paid.gross,
    tax: paid.tax,
    description: paid.description,
    orderId: paid.orderId,
    resource,
    counterparts: [
      { ledgerAccount: `revenue:${paid.product}`, amount: paid.gross - paid.tax },
      { ledgerAccount: `tax:${(paid.taxRate / 100).toFixed(2)}`, amount: paid.tax },
    ],
  });
  emit(frame, account, {
    type: 'order.paid',
    resource,
    body: { order_id: paid.orderId, gross_minor: Number(paid.gross), currency: account.currency },
  });
}

function describe(request: OrderRequest, price: Price): string {
  const unit = request.duration === 1 ? request.unit : `${request.unit}s`;
  const discount =
    price.discount > 0n ? `, discount ${printAmount(price.fullGross - price.gross, price.currency)}` : '';
  return `${request.title}, ${request.duration} ${unit}${discount}`;
}

function storedLine(line: Price['lines'][number]): Json {
  return {
    description: line.description,
    quantity: line.quantity,
    unit_price: line.unitPrice.toString(),
    net: wireAmount(line.net),
  };
}

const orderInsert = bulkInsert<{
  id: string;
  account_id: string;
  token_id: string | null;
  product: string;
  action: string;
  service_id: string;
  state: string;
  price_version: number;
  currency: string;
  lines: string;
  net: bigint;
  discount: bigint;
  tax_rate: number;
  tax: bigint;
  gross: bigint;
  discount_code: string | null;
  duration: number;
  duration_unit: string;
  period_from: Instant;
  period_to: Instant;
  terms_version: string | null;
  entry_id: string;
  created_at: Instant;
  closed_at: Instant | null;
}>('orders', {
  id: 'uuid',
  account_id: 'uuid',
  token_id: 'uuid',
  product: 'text',
  action: 'text',
  service_id: 'uuid',
  state: 'text',
  price_version: 'integer',
  currency: 'text',
  lines: 'jsonb',
  net: 'bigint',
  discount: 'bigint',
  tax_rate: 'integer',
  tax: 'bigint',
  gross: 'bigint',
  discount_code: 'text',
  duration: 'integer',
  duration_unit: 'text',
  period_from: 'timestamptz',
  period_to: 'timestamptz',
  terms_version: 'text',
  entry_id: 'uuid',
  created_at: 'timestamptz',
  closed_at: 'timestamptz',
});

const holdInsert = bulkInsert<{
  order_id: string;
  account_id: string;
  amount: bigint;
  state: string;
  entry_id: string;
  created_at: Instant;
}>('holds', {
  order_id: 'uuid',
  account_id: 'uuid',
  amount: 'bigint',
  state: 'text',
  entry_id: 'uuid',
  created_at: 'timestamptz',
});
