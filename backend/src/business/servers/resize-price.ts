import { type Amount, amountOf, divideRounded, type UnitPrice } from '../../base/money.ts';
import { type Instant, later, termStart, utcDay } from '../../base/time.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import type { PriceLine } from '../selling/orders/price.ts';
import { type RefundableOrder, type RunningOrder, refundable } from '../selling/orders/refund.ts';
import { unusedOf } from '../selling/subscriptions/cancellation/withdrawal.ts';
import { type PricedServer, serverLines } from './price.ts';
import type { Resizing } from './resize.ts';
import type { Server } from './server.ts';

const CENT: UnitPrice = 100n;

/** Two sizes of one server, of which the second is to take the place of the first for the rest of what is paid. */
export interface SizeChange {
  readonly service: Pick<Server, 'duration' | 'duration_unit' | 'anchor_day' | 'expire_at'>;
  readonly before: PricedServer;
  readonly after: PricedServer;
  readonly now: Instant;
}

/**
 * What a term costs before and after by a version of the catalogue, without set-up and codes; null when it does not sell
 * one of them for the service's term.
 */
export function termPrices(
  catalog: CatalogVersion,
  { service, before, after }: SizeChange,
): { readonly before: UnitPrice; readonly after: UnitPrice } | null {
  const term = { duration: service.duration, unit: service.duration_unit, renewal: true };
  const [was, is] = [before, after].map((server) => serverLines(server, term)(catalog));
  return was == null || is == null ? null : { before: sum(was), after: sum(is) };
}

/** A term's price for the time that is paid for and not over, measured by the last term of it: a part of that, or several. */
export function forTheRest(price: UnitPrice, { service, now }: SizeChange): UnitPrice {
  const { duration, duration_unit: unit, anchor_day: anchor, expire_at: end } = service;
  const start = termStart(end, { duration, unit }, anchor);
  const left = later(end, now).epochNanoseconds - now.epochNanoseconds;
  return divideRounded(price * left, end.epochNanoseconds - start.epochNanoseconds);
}

/** The line of an order for a larger size, for the rest of what is paid; null as {@link termPrices}. */
export function growthLines(
  change: SizeChange,
  name: string,
): (catalog: CatalogVersion) => readonly PriceLine[] | null {
  return (catalog) => {
    const prices = termPrices(catalog, change);
    if (prices === null) return null;
    const difference = prices.after > prices.before ? prices.after - prices.before : 0n;
    const description = `Change to ${name}, until ${utcDay(change.service.expire_at)}`;
    // Up to the cent: else a server would grow for nothing in steps that cost less than half a cent each.
    return [{ description, quantity: 1, unitPrice: wholeCents(forTheRest(difference, change)) }];
  };
}

/** What is to be given back for a smaller size; null: it is not cheaper, or not by a cent for what is left. */
export function shrinkage(catalog: CatalogVersion, change: SizeChange): Resizing['refund'] {
  const prices = termPrices(catalog, change);
  if (prices === null || prices.after >= prices.before) return null;
  const less = prices.before - prices.after;
  const most = amountOf(forTheRest(less, change));
  if (most <= 0n) return null;
  return {
    from: change.now.toString(),
    price: String(prices.before),
    less: String(less),
    most: String(most),
  };
}

/** A part of an order that is paid back. */
export interface PartBack {
  readonly order: RefundableOrder;
  readonly gross: Amount;
  readonly periodFrom: Instant;
}

/**
 * What is paid back of which order: of what was paid for the rest of its term the share by which the size is cheaper. So
 * who paid with a discount, or no tax, gets back by the same measure; never more than the difference of the prices.
 */
export function refundsFor(
  refund: NonNullable<Resizing['refund']>,
  orders: readonly RunningOrder[],
): PartBack[] {
  const [price, less] = [BigInt(refund.price), BigInt(refund.less)];
  let most = BigInt(refund.most);
  return orders.flatMap((order) => {
    const unused = unusedOf(order, Temporal.Instant.from(refund.from));
    const gross = [(unused.gross * less) / price, most, refundable(order)].reduce((a, b) => (a < b ? a : b));
    most -= gross;
    return gross > 0n ? [{ order, gross, periodFrom: unused.periodFrom }] : [];
  });
}

function wholeCents(price: UnitPrice): UnitPrice {
  return ((price + CENT - 1n) / CENT) * CENT;
}

function sum(lines: readonly PriceLine[]): UnitPrice {
  return lines.reduce((total, line) => total + line.unitPrice * BigInt(line.quantity), 0n);
}
