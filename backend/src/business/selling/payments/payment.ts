import type { Amount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { BANK, type PaymentFacts, type TransferInstructions } from '../../../drivers/payment/port.ts';

/** How the customer makes a transfer. */
export type TransferDetails = TransferInstructions;

export type PaymentState = 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'refunded' | 'charged_back';

/** Money that comes in from outside, or is to. */
export interface Payment {
  readonly id: string;
  readonly account_id: string;
  readonly method: string;
  /** What was asked for; what came is in the facts. */
  readonly amount: Amount;
  readonly currency: string;
  readonly state: PaymentState;
  /** What a bank transfer is recognised by. */
  readonly reference: string | null;
  readonly provider_ref: string | null;
  readonly redirect_url: string | null;
  readonly return_url: string | null;
  readonly locale: string;
  readonly save_method: boolean;
  readonly automatic: boolean;
  readonly payment_method_id: string | null;
  readonly failure: string | null;
  readonly received: Amount;
  readonly refunded: Amount;
  readonly disputed: Amount;
  readonly dispute_won: Amount;
  readonly booked_received: Amount;
  readonly booked_refunded: Amount;
  readonly booked_disputed: Amount;
  readonly booked_dispute_won: Amount;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export const PAYMENT_COLUMNS = `p.id, p.account_id, p.method, p.amount, p.currency, p.state, p.reference,
  p.provider_ref, p.redirect_url, p.return_url, p.locale, p.save_method, p.automatic, p.payment_method_id, p.failure,
  p.received, p.refunded, p.disputed, p.dispute_won, p.booked_received, p.booked_refunded, p.booked_disputed,
  p.booked_dispute_won, p.created_at, p.updated_at`;

/** What is known of a payment before anybody has paid. */
export interface PaymentDraft {
  readonly id: string;
  readonly account_id: string;
  readonly method: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly reference: string | null;
  readonly return_url: string | null;
  readonly locale: string;
  readonly save_method: boolean;
  readonly automatic: boolean;
  readonly payment_method_id: string | null;
}

export const paymentInsert = bulkInsert<
  PaymentDraft & { state: PaymentState; created_at: Instant; updated_at: Instant }
>('payments', {
  id: 'uuid',
  account_id: 'uuid',
  method: 'text',
  amount: 'bigint',
  currency: 'text',
  reference: 'text',
  return_url: 'text',
  locale: 'text',
  save_method: 'boolean',
  automatic: 'boolean',
  payment_method_id: 'uuid',
  state: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** A payment as it begins. */
export function begunPayment(draft: PaymentDraft, now: Instant): Payment {
  return {
    ...draft,
    state: 'pending',
    provider_ref: null,
    redirect_url: null,
    failure: null,
    received: 0n,
    refunded: 0n,
    disputed: 0n,
    dispute_won: 0n,
    booked_received: 0n,
    booked_refunded: 0n,
    booked_disputed: 0n,
    booked_dispute_won: 0n,
    created_at: now,
    updated_at: now,
  };
}

const load = statement<Payment>('load_payment', `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.id = $1`);

export async function paymentOf(db: Executor, id: string): Promise<Payment | null> {
  const [payment] = await db.run(load, [id]);
  return payment ?? null;
}

const lock = statement<Payment>(
  'lock_payments',
  `SELECT ${PAYMENT_COLUMNS} FROM payments p WHERE p.id = ANY($1::uuid[]) ORDER BY p.id FOR UPDATE`,
);

/** Locks payments in the order of their ids; their accounts must be locked already (rule A4). */
export async function lockPayments(tx: Transaction, ids: readonly string[]): Promise<Map<string, Payment>> {
  return new Map((await tx.run(lock, [ids])).map((payment) => [payment.id, payment]));
}

/** As {@link lockPayments}, for one that must be there: payments are never deleted. */
export async function lockPayment(tx: Transaction, id: string): Promise<Payment> {
  const payment = (await lockPayments(tx, [id])).get(id);
  if (payment === undefined) throw new Error(`payment ${id} does not exist`);
  return payment;
}

const PAGE_HOURS = 23;
const TRANSFER_DAYS = 60;

/** Until when it can be paid; null: nobody has to. A transfer that comes later is booked all the same. */
export function expiresAt(payment: Pick<Payment, 'method' | 'automatic' | 'created_at'>): Instant | null {
  if (payment.automatic) return null;
  const hours = payment.method === BANK ? TRANSFER_DAYS * 24 : PAGE_HOURS;
  return payment.created_at.add({ hours });
}

/** How long what was begun at a provider is repeated: no longer than the provider knows its idempotency keys. */
export const REPEATED_HOURS = 12;

/** What the customer's statement and the provider's page call it. */
export function descriptionOf({ locale }: Pick<Payment, 'locale'>): string {
  return locale === 'de' ? 'Guthaben aufladen' : 'Account top-up';
}

/** The facts that are recorded of a payment. */
export function factsOf(payment: Payment): PaymentFacts {
  const { received, refunded, disputed, dispute_won: disputeWon } = payment;
  return { received, refunded, disputed, disputeWon };
}
