import { type Amount, type BasisPoints, shareOf } from '../../../base/money.ts';
import type { Instant, TermUnit } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Locale } from '../../../operation.ts';
import type { TaxKind } from '../../core/tax/treatment.ts';
import type { Buyer } from './buyer.ts';
import type { InvoiceLine } from './line.ts';
import { describeDiscount, describeLine, titleOf } from './wording.ts';

/** An invoice or credit note that has no number yet. */
export interface InvoiceDraft {
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  readonly net: Amount;
  readonly taxKind: TaxKind;
  readonly taxRate: BasisPoints;
  readonly taxCountry: string;
  readonly tax: Amount;
  readonly gross: Amount;
  readonly buyer: Buyer;
  readonly locale: Locale;
  /** Of a credit note: the invoice that it corrects. */
  readonly corrects: string | null;
}

/** A completed order that no invoice names. */
export interface UninvoicedOrder {
  readonly id: string;
  readonly account_id: string;
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  readonly action: 'create' | 'renew' | 'extra';
  readonly service_name: string;
  readonly currency: string;
  readonly lines: readonly { description: string; quantity: number; net: number }[];
  readonly net: Amount;
  readonly discount: Amount;
  readonly discount_code: string | null;
  readonly tax_kind: TaxKind;
  readonly tax_rate: BasisPoints;
  readonly tax_country: string;
  /** Of the address that the customer was taxed by. */
  readonly address_version: number;
  readonly tax: Amount;
  readonly gross: Amount;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly period_from: Instant;
  readonly period_to: Instant;
  readonly closed_at: Instant;
  /** The basket that it was ordered in. */
  readonly basket_id: string | null;
}

/** How many orders one transaction takes on, and how many one invoice has room for. */
export const MOST_ORDERS = 500;

/** What is invoiced: orders that somebody made, or automatic renewals. */
export interface Selection {
  readonly automatic: boolean;
  /** Only what was completed before; null: all. */
  readonly closedBefore: Instant | null;
}

// What was ordered together waits for the rest of it for a while: a transfer, which takes days, is invoiced later.
const BASKET_WAITS = { minutes: 15 };
const claim = statement<UninvoicedOrder>(
  'claim_uninvoiced_orders',
  `SELECT o.id, o.account_id, o.product, o.action, s.name AS service_name, o.currency, o.lines, o.net, o.discount,
     o.discount_code, o.tax_kind, o.tax_rate, o.tax_country, o.address_version, o.tax, o.gross, o.duration,
     o.duration_unit, o.period_from, o.period_to, o.closed_at, o.basket_id
   FROM orders o JOIN services s ON s.id = o.service_id
   WHERE o.state = 'completed' AND o.invoice_id IS NULL AND o.gross > 0
     AND o.automatic = $2 AND o.account_id = ANY($1::uuid[]) AND o.closed_at < coalesce($3::timestamptz, 'infinity')
     AND NOT EXISTS (SELECT FROM orders p WHERE p.basket_id = o.basket_id AND p.state = 'pending' AND p.created_at > $4)
   ORDER BY o.account_id, o.closed_at, o.id LIMIT ${MOST_ORDERS}
   FOR NO KEY UPDATE OF o SKIP LOCKED`,
);

/** Takes on the oldest uninvoiced orders of accounts that the transaction has locked, until it ends. */
export function claimOrders(
  tx: Transaction,
  accountIds: readonly string[],
  selection: Selection,
  now: Instant,
): Promise<UninvoicedOrder[]> {
  const { automatic, closedBefore } = selection;
  return tx.run(claim, [accountIds, automatic, closedBefore, now.subtract(BASKET_WAITS)]);
}

const WHOLE_UNIT: Amount = 90n;

/**
 * Which orders share an invoice: each has its own, but those of one basket, and the automatic renewals of one account and
 * day, as far as address and tax treatment are the same. The day is the one at the seller's. The tax of an invoice is the sum of what its orders paid, each rounded by
 * itself; readers of structured invoices compute it anew from the sum of the nets and bear a difference of less than
 * one major unit (EN 16931, BR-CO-17). Before it comes to that another invoice begins, and after 500 orders.
 */
export function invoiceGroups(
  orders: readonly UninvoicedOrder[],
  { automatic, timeZone }: { readonly automatic: boolean; readonly timeZone: string },
): UninvoicedOrder[][] {
  const together = Map.groupBy(orders, (order) => {
    const day = order.closed_at.toZonedDateTimeISO(timeZone).toPlainDate();
    const cause = automatic ? day : (order.basket_id ?? order.id);
    return `${order.account_id} ${order.currency} ${order.tax_kind} ${order.tax_rate} ${order.tax_country} ${order.address_version} ${cause}`;
  });
  return [...together.values()].flatMap(withinTolerance);
}

function withinTolerance(orders: readonly UninvoicedOrder[]): UninvoicedOrder[][] {
  const groups: UninvoicedOrder[][] = [];
  let group: UninvoicedOrder[] = [];
  let [net, tax] = [0n, 0n];
  for (const order of orders) {
    const difference = tax + order.tax - shareOf(net + order.net, order.tax_rate);
    const apart = difference < 0n ? -difference : difference;
    if (group.length === 0 || group.length === MOST_ORDERS || apart > WHOLE_UNIT) {
      group = [];
      groups.push(group);
      [net, tax] = [0n, 0n];
    }
    group.push(order);
    net += order.net;
    tax += order.tax;
  }
  return groups;
}

/** The invoice over a group of {@link invoiceGroups}. */
export function draftOf(
  id: string,
  orders: readonly UninvoicedOrder[],
  { buyer, locale }: { readonly buyer: Buyer; readonly locale: Locale },
): InvoiceDraft {
  const [first] = orders;
  if (first === undefined) throw new RangeError('an invoice over nothing');
  const sum = (of: (order: UninvoicedOrder) => Amount) => orders.reduce((total, one) => total + of(one), 0n);
  return {
    id,
    accountId: first.account_id,
    currency: first.currency,
    lines: orders.flatMap((order) => linesOf(order, locale)),
    net: sum(({ net }) => net),
    taxKind: first.tax_kind,
    taxRate: first.tax_rate,
    taxCountry: first.tax_country,
    tax: sum(({ tax }) => tax),
    gross: sum(({ gross }) => gross),
    buyer,
    locale,
    corrects: null,
  };
}

/** The lines of an order add up to its net; a discount code is a line of its own, below zero. */
function linesOf(order: UninvoicedOrder, locale: Locale): InvoiceLine[] {
  const common = {
    orderId: order.id,
    title: titleOf(order, locale),
    periodFrom: order.period_from,
    periodTo: order.period_to,
  };
  const lines: InvoiceLine[] = order.lines.map((line) => ({
    ...common,
    description: describeLine(line.description, locale),
    quantity: line.quantity,
    // An order's lines are kept in the wire's numbers, which are exact quotients of cents.
    net: BigInt(Math.round(line.net * 100)),
  }));
  if (order.discount === 0n) return lines;
  const description = describeDiscount(order.discount_code, locale);
  return [...lines, { ...common, description, quantity: 1, net: -order.discount }];
}
