import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { amountOf, parseWireAmount, wireAmount } from '../../base/money.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { expiresAt, type Payment, type TransferDetails } from '../../business/selling/payments/payment.ts';
import type { RefusalDetail } from '../../errors.ts';

/** Which there are depends on the providers that are set up. */
export const paymentMethod = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, 'This must be a way to pay, such as bank.');
export const paymentState = z.enum([
  'pending',
  'succeeded',
  'failed',
  'cancelled',
  'refunded',
  'charged_back',
]);

const instructions = z.object({
  iban: z.string(),
  bic: z.string().nullable(),
  bank: z.string().nullable(),
  beneficiary: z.string(),
  reference: z.string().describe('What the transfer must say: by it your payment is recognised.'),
  amount: money,
  currency,
  epc_qr: z
    .object({
      text: z.string(),
      svg: z.string().describe('The code as an image, a data: URL.'),
    })
    .nullable()
    .describe('What banking apps read (EPC069-12); null for other currencies than the euro.'),
});

export const payment = z.object({
  uuid,
  state: paymentState,
  method: z.string(),
  amount: money.describe('What was asked for.'),
  received: money,
  refunded: money,
  charged_back: money.describe('What your bank took back and was not given back since.'),
  currency,
  automatic: z.boolean(),
  redirect_url: z.string().nullable().describe('Where to pay; null when there is nothing to pay there.'),
  instructions: instructions.nullable().describe('How to transfer.'),
  failure: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp.nullable().describe('Until when it can be paid.'),
});

/** A payment as the wire shows it; `transfer` tells how one that is transferred is. */
export function wirePayment(
  paid: Payment,
  publicUrl: string,
  transfer: TransferDetails | null,
): z.input<typeof payment> {
  const pending = paid.state === 'pending';
  return {
    uuid: paid.id,
    state: paid.state,
    method: paid.method,
    amount: wireAmount(paid.amount),
    received: wireAmount(paid.received),
    refunded: wireAmount(paid.refunded),
    charged_back: wireAmount(paid.disputed - paid.dispute_won),
    currency: paid.currency,
    automatic: paid.automatic,
    redirect_url: pending && paid.redirect_url !== null ? absolute(paid.redirect_url, publicUrl) : null,
    instructions: pending && transfer !== null ? wireInstructions(paid, transfer) : null,
    failure: paid.failure,
    created_at: wireTime(paid.created_at),
    expires_at: pending ? wireTimeOrNull(expiresAt(paid)) : null,
  };
}

function wireInstructions(paid: Payment, transfer: TransferDetails): z.input<typeof instructions> {
  const { epcQr, ...account } = transfer;
  return { ...account, amount: wireAmount(paid.amount), currency: paid.currency, epc_qr: epcQr };
}

function absolute(url: string, publicUrl: string): string {
  return url.startsWith('/') ? `${publicUrl}${url}` : url;
}

/** An amount to pay in; the catalogue bounds it further. */
export const topupAmount = z
  .number()
  .positive()
  .max(1_000_000_000)
  .refine((value) => parseWireAmount(value) !== null, 'At most two decimals.');

/** What to refuse an amount with that is not taken at once, or null. */
export function topupProblem(
  amount: number,
  { content }: CatalogVersion,
  pointer: string,
): RefusalDetail | null {
  const [least, most] = [amountOf(content.topup.least), amountOf(content.topup.most)];
  const cents = amountGiven(amount);
  if (cents >= least && cents <= most) return null;
  const limit = wireAmount(cents < least ? least : most);
  const problem = `From ${wireAmount(least)} to ${wireAmount(most)} ${content.currency}.`;
  return fieldProblem(pointer, 'out_of_range', problem, { limit });
}

/** An amount that `topupAmount` or `moneyInput` has let through. */
export function amountGiven(value: number): bigint {
  const amount = parseWireAmount(value);
  if (amount === null) throw new RangeError('not an amount');
  return amount;
}
