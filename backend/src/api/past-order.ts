import { z } from 'zod';
import { wireAmount, wireUnitPrice } from '../base/money.ts';
import { wireTime, wireTimeOrNull } from '../base/time.ts';
import type { PastOrder, PastRefund } from '../business/selling/orders/history.ts';
import { currency, durationUnit, money, timestamp, uuid } from './field.ts';
import { productType } from './product.ts';

export const orderState = z.enum(['pending', 'completed', 'failed']);

/** An order as lists show it. */
export const pastOrder = z.object({
  uuid: uuid.describe('The `order_id`.'),
  product: productType,
  action: z.enum(['create', 'renew', 'extra']).describe('extra: what is paid for beside terms.'),
  automatic: z.boolean().describe('Renewed by itself.'),
  state: orderState,
  description: z.string(),
  resource: z.object({ type: productType, uuid }),
  duration: z.int(),
  duration_unit: durationUnit,
  period_from: timestamp,
  period_to: timestamp,
  net: money,
  tax: money,
  gross: money,
  gross_minor: z.int(),
  refunded: money,
  currency,
  transaction_uuid: uuid,
  invoice_uuid: uuid.nullable(),
  created_at: timestamp,
  closed_at: timestamp.nullable(),
});

/** An order with how its price came about, what was paid back, and what was agreed to. */
export const orderDetails = pastOrder.extend({
  price_version: z.int().describe('The version of the catalogue that it was priced by.'),
  lines: z.array(
    z.object({ description: z.string(), quantity: z.int(), unit_price: z.number(), net: money }),
  ),
  discount: money,
  discount_code: z.string().nullable(),
  tax_rate: z.number().describe('Percent.'),
  tax_kind: z.enum(['standard', 'reverse_charge', 'export', 'small_business']),
  tax_country: z.string().describe('ISO 3166-1, or "".'),
  refunds: z.array(
    z.object({
      uuid,
      basis: z.enum(['pro_rata', 'statutory_withdrawal', 'goodwill', 'undelivered']),
      gross: money,
      tax: money,
      reason: z.string(),
      period_from: timestamp.describe('From when on nothing is delivered any more.'),
      transaction_uuid: uuid,
      credit_note_uuid: uuid.nullable(),
      created_at: timestamp,
    }),
  ),
  consent: z
    .object({
      terms_version: z.string(),
      consent_hash: z
        .string()
        .nullable()
        .describe('SHA-256 of JSON [language, terms of service, cancellation terms].'),
      created_at: timestamp,
      consent_ip: z.string().nullable(),
    })
    .nullable()
    .describe('What was agreed to, when and from where; null for renewals.'),
});

export function wirePastOrder(order: PastOrder): z.input<typeof pastOrder> {
  return {
    uuid: order.id,
    product: order.product,
    action: order.action,
    automatic: order.automatic,
    state: order.state,
    description: order.description,
    resource: { type: order.product, uuid: order.service_id },
    duration: order.duration,
    duration_unit: order.duration_unit,
    period_from: wireTime(order.period_from),
    period_to: wireTime(order.period_to),
    net: wireAmount(order.net),
    tax: wireAmount(order.tax),
    gross: wireAmount(order.gross),
    gross_minor: Number(order.gross),
    refunded: wireAmount(order.refunded),
    currency: order.currency,
    transaction_uuid: order.entry_id,
    invoice_uuid: order.invoice_id,
    created_at: wireTime(order.created_at),
    closed_at: wireTimeOrNull(order.closed_at),
  };
}

export function wireOrderDetails(
  order: PastOrder,
  refunds: readonly PastRefund[],
): z.input<typeof orderDetails> {
  return {
    ...wirePastOrder(order),
    price_version: order.price_version,
    lines: order.lines.map((line) => ({ ...line, unit_price: wireUnitPrice(BigInt(line.unit_price)) })),
    discount: wireAmount(order.discount),
    discount_code: order.discount_code,
    tax_rate: order.tax_rate / 100,
    tax_kind: order.tax_kind,
    tax_country: order.tax_country,
    refunds: refunds.map((refund) => ({
      uuid: refund.id,
      basis: refund.basis,
      gross: wireAmount(refund.gross),
      tax: wireAmount(refund.tax),
      reason: refund.reason,
      period_from: wireTime(refund.period_from),
      transaction_uuid: refund.entry_id,
      credit_note_uuid: refund.invoice_id,
      created_at: wireTime(refund.created_at),
    })),
    consent:
      order.terms_version === null
        ? null
        : {
            terms_version: order.terms_version,
            consent_hash: order.consent_hash?.toString('hex') ?? null,
            created_at: wireTime(order.created_at),
            consent_ip: order.consent_ip,
          },
  };
}
