import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { formatDecimal } from '../../base/decimal.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import type { BookedEntry } from '../../business/core/ledger/history.ts';
import type { PendingEntry } from '../../business/core/ledger/pending.ts';

export const transactionType = z.enum([
  'topup',
  'order',
  'renewal',
  'refund',
  'voucher',
  'affiliate',
  'adjustment',
  'chargeback',
  'fee',
]);
export const direction = z.enum(['credit', 'debit']);

export const transaction = z.object({
  uuid,
  id: z.int().describe('The place in the ledger, from 1 on without gaps; 0 while pending.'),
  type: transactionType,
  direction,
  amount: money.describe('Never negative: `direction` tells which way.'),
  amount_minor: z.int(),
  tax: money,
  currency,
  balance_after: money.describe('Of a pending one: when it and all older ones are booked.'),
  state: z.enum(['pending', 'booked', 'reversed']),
  description: z.string(),
  reference: z.object({ type: z.string(), uuid }).nullable(),
  order_id: uuid.nullable(),
  invoice_uuid: uuid.nullable(),
  payment_method: z.string().nullable(),
  created_at: timestamp,
  booked_at: timestamp.nullable(),
});

/** `invoices` are those of the page's entries (business/selling/invoices/entry-invoices.ts). */
export function wireTransaction(
  entry: PendingEntry | BookedEntry,
  invoices: ReadonlyMap<string, string>,
): z.input<typeof transaction> {
  const booked = 'seq' in entry ? entry : null;
  const magnitude = entry.amount < 0n ? -entry.amount : entry.amount;
  return {
    uuid: entry.id,
    id: Number(booked?.seq ?? 0n),
    type: entry.kind,
    direction: entry.amount > 0n ? 'credit' : 'debit',
    amount: wireAmount(magnitude),
    amount_minor: Number(magnitude),
    tax: wireAmount(entry.tax),
    currency: entry.currency,
    balance_after: wireAmount(entry.balance_after),
    state: booked === null ? 'pending' : 'booked',
    description: entry.description,
    reference:
      entry.resource_type === null || entry.resource_id === null
        ? null
        : { type: entry.resource_type, uuid: entry.resource_id },
    order_id: entry.order_id,
    invoice_uuid: invoices.get(entry.id) ?? null,
    payment_method: booked?.paid_by ?? null,
    created_at: wireTime(entry.created_at),
    booked_at: booked === null ? null : wireTime(booked.created_at),
  };
}

const HEADER = [
  'uuid',
  'id',
  'created_at',
  'state',
  'type',
  'description',
  'amount',
  'tax',
  'currency',
  'balance_after',
  'reference_type',
  'reference_uuid',
  'order_id',
];

/** RFC 4180, with a header; amounts as decimals, what was charged negative. */
export function transactionsCsv(entries: readonly (PendingEntry | BookedEntry)[]): string {
  const lines = entries.map((entry) => [
    entry.id,
    'seq' in entry ? entry.seq.toString() : '0',
    wireTime(entry.created_at),
    'seq' in entry ? 'booked' : 'pending',
    entry.kind,
    entry.description,
    formatDecimal(entry.amount, 2),
    formatDecimal(entry.tax, 2),
    entry.currency,
    formatDecimal(entry.balance_after, 2),
    entry.resource_type ?? '',
    entry.resource_id ?? '',
    entry.order_id ?? '',
  ]);
  return [HEADER, ...lines].map((line) => `${line.map(csvField).join(',')}\r\n`).join('');
}

/** Text that a spreadsheet would take for a formula gets an apostrophe; numbers keep their sign. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+\.\d\d$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
