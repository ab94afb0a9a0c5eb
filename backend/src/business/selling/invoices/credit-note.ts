import type { Amount, BasisPoints } from '../../../base/money.ts';
import type { Instant, TermUnit } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Locale } from '../../../operation.ts';
import type { TaxKind } from '../../core/tax/treatment.ts';
import type { Buyer } from './buyer.ts';
import { type InvoiceDraft, MOST_ORDERS } from './draft.ts';
import { describeRefund, titleOf } from './wording.ts';

/** Money that was paid back, without a credit note; with what of the order's invoice it repeats. */
export interface UncreditedRefund {
  readonly id: string;
  readonly account_id: string;
  readonly gross: Amount;
  readonly tax: Amount;
  readonly reason: string;
  readonly period_from: Instant;
  readonly order_id: string;
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  readonly action: 'create' | 'renew' | 'extra';
  readonly service_name: string;
  readonly duration: number;
  readonly duration_unit: TermUnit;
  readonly order_from: Instant;
  readonly order_to: Instant;
  readonly corrects: string;
  readonly currency: string;
  readonly tax_kind: TaxKind;
  readonly tax_rate: BasisPoints;
  readonly tax_country: string;
  readonly buyer: Buyer;
  readonly locale: Locale;
}

const claim = statement<UncreditedRefund>(
  'claim_uncredited_refunds',
  `SELECT r.id, r.account_id, r.gross, r.tax, r.reason, r.period_from, r.order_id, o.product, o.action,
     s.name AS service_name, o.duration, o.duration_unit, o.period_from AS order_from, o.period_to AS order_to,
     i.id AS corrects, i.currency, i.tax_kind, i.tax_rate, i.tax_country, i.buyer, i.locale
   FROM refunds r JOIN orders o ON o.id = r.order_id JOIN services s ON s.id = o.service_id
     JOIN invoices i ON i.id = o.invoice_id
   WHERE r.invoice_id IS NULL AND r.account_id = ANY($1::uuid[])
   ORDER BY r.created_at, r.id LIMIT ${MOST_ORDERS}
   FOR NO KEY UPDATE OF r SKIP LOCKED`,
);

/** Takes on refunds of locked accounts whose orders have been invoiced, until the transaction ends. */
export function claimRefunds(tx: Transaction, accountIds: readonly string[]): Promise<UncreditedRefund[]> {
  return tx.run(claim, [accountIds]);
}

/** The credit note over a refund: for the same buyer, taxed as the invoice was. */
export function creditNoteOf(id: string, refund: UncreditedRefund): InvoiceDraft {
  const { order_from: from, order_to: to, period_from: unused } = refund;
  const inTerm = Temporal.Instant.compare(unused, from) >= 0 && Temporal.Instant.compare(unused, to) < 0;
  const net = refund.gross - refund.tax;
  return {
    id,
    accountId: refund.account_id,
    currency: refund.currency,
    lines: [
      {
        orderId: refund.order_id,
        title: titleOf(refund, refund.locale),
        description: describeRefund(refund.reason, refund.locale),
        quantity: 1,
        net,
        // Money back for a term that was delivered, out of goodwill, is about all of it.
        periodFrom: inTerm ? unused : from,
        periodTo: to,
      },
    ],
    net,
    taxKind: refund.tax_kind,
    taxRate: refund.tax_rate,
    taxCountry: refund.tax_country,
    tax: refund.tax,
    gross: refund.gross,
    buyer: refund.buyer,
    locale: refund.locale,
    corrects: refund.corrects,
  };
}
