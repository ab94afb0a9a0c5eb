import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';

/** What an invoice charges, or takes off (a net below zero): a part of one order. */
export interface InvoiceLine {
  readonly orderId: string;
  /** The order in the buyer's language; lines of one order share it. */
  readonly title: string;
  readonly description: string;
  readonly quantity: number;
  readonly net: Amount;
  readonly periodFrom: Instant;
  /** The first moment that is not paid for any more. */
  readonly periodTo: Instant;
}

/** As the database keeps it: amounts are text, which JSON's numbers cannot spoil. */
export interface StoredLine {
  readonly order_id: string;
  readonly title: string;
  readonly description: string;
  readonly quantity: number;
  readonly net: string;
  readonly period_from: string;
  readonly period_to: string;
}

export function storedLine(line: InvoiceLine): StoredLine {
  return {
    order_id: line.orderId,
    title: line.title,
    description: line.description,
    quantity: line.quantity,
    net: line.net.toString(),
    period_from: line.periodFrom.toString(),
    period_to: line.periodTo.toString(),
  };
}

export function lineOf(stored: StoredLine): InvoiceLine {
  return {
    orderId: stored.order_id,
    title: stored.title,
    description: stored.description,
    quantity: stored.quantity,
    net: BigInt(stored.net),
    periodFrom: Temporal.Instant.from(stored.period_from),
    periodTo: Temporal.Instant.from(stored.period_to),
  };
}
