import { randomUUIDv7 } from 'node:crypto';
import { type Amount, printAmount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import { bulkUpdate } from '../../../db/changes.ts';
import type { Pool } from '../../../db/pool.ts';
import type { FoundPayment, PaymentEnd, PaymentFacts } from '../../../drivers/payment/port.ts';
import {
  emit,
  inUnitOfWork,
  type LockedAccount,
  lockedAccount,
  type UnitOfWork,
} from '../../../unit-of-work/unit-of-work.ts';
import { floorAfter } from '../../core/accounts/adjust.ts';
import { type EntryKind, post } from '../../core/ledger/entry.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { saveMethod } from './method.ts';
import { factsOf, lockPayment, type Payment, type PaymentState } from './payment.ts';

/** What is told of a payment; nothing is believed of what is less than before. */
export type Told = Partial<Pick<FoundPayment, 'end' | 'savedMethod' | 'currency'>> & {
  readonly facts?: Partial<PaymentFacts>;
};

/**
 * Records what a provider or the bank tells of a payment, and books what is new of it. Facts only grow and only
 * differences are booked, so it may be told in any order and any number of times. The account and then the payment
 * must be locked. The payment as it is now, and the ledger entry of money that came.
 */
export function recordPayment(
  uow: UnitOfWork,
  payment: Payment,
  told: Told,
): { readonly payment: Payment; readonly entryId: string | null } {
  const account = lockedAccount(uow, payment.account_id);
  // The numbers of another currency are not ours: nothing is booked, and an operator has to look.
  if (told.currency !== undefined && told.currency !== payment.currency) return { payment, entryId: null };
  const facts = most(factsOf(payment), told.facts ?? {});
  const booked = bookable(facts);
  const { state, failure } = stateOf(payment, facts, told.end ?? null);
  const recorded: Payment = {
    ...payment,
    state,
    failure,
    received: facts.received,
    refunded: facts.refunded,
    disputed: facts.disputed,
    dispute_won: facts.disputeWon,
    booked_received: booked.received,
    booked_refunded: booked.refunded,
    booked_disputed: booked.disputed,
    booked_dispute_won: booked.disputeWon,
    updated_at: uow.now,
  };
  if (told.savedMethod && payment.save_method) saveMethod(uow, payment, told.savedMethod);
  if (MEMBERS.every((member) => recorded[member] === payment[member])) return { payment, entryId: null };
  uow.changes.add(paymentRecord, recorded);
  const entryId = book(uow, account, payment, recorded);
  tell(uow, account, payment, recorded);
  return { payment: recorded, entryId };
}

/** As {@link recordPayment}, in a transaction of its own. */
export async function recordFound(
  pool: Pool,
  now: Instant,
  { id, account_id }: Pick<Payment, 'id' | 'account_id'>,
  told: Told,
): Promise<void> {
  await inUnitOfWork(pool, now, [account_id], async (tx, uow) => {
    recordPayment(uow, await lockPayment(tx, id), told);
  });
}

function most(known: PaymentFacts, told: Partial<PaymentFacts>): PaymentFacts {
  return {
    received: greater(known.received, told.received),
    refunded: greater(known.refunded, told.refunded),
    disputed: greater(known.disputed, told.disputed),
    disputeWon: greater(known.disputeWon, told.disputeWon),
  };
}

function greater(known: Amount, told: Amount = 0n): Amount {
  return told > known ? told : known;
}

/** What of the facts is booked: what went back, only once it is known to have come. */
function bookable(facts: PaymentFacts): PaymentFacts {
  return facts.received === 0n ? { received: 0n, refunded: 0n, disputed: 0n, disputeWon: 0n } : facts;
}

/**
 * Money decides the state. Without any, an end does; failed says more than cancelled, so that the order in which
 * ends are told does not matter.
 */
function stateOf(
  payment: Payment,
  facts: PaymentFacts,
  end: PaymentEnd | null,
): { readonly state: PaymentState; readonly failure: string | null } {
  if (facts.received > 0n) {
    const gone = facts.disputed > facts.disputeWon;
    const state = gone ? 'charged_back' : facts.refunded >= facts.received ? 'refunded' : 'succeeded';
    return { state, failure: null };
  }
  const known = { state: payment.state, failure: payment.failure };
  if (end === null || known.state === 'failed' || known.state === end.state) return known;
  return { state: end.state, failure: end.reason };
}

/** Posts what is booked now and was not before; the entry of money that came, or null. */
function book(uow: UnitOfWork, account: LockedAccount, before: Payment, now: Payment): string | null {
  const received = now.booked_received - before.booked_received;
  const refunded = now.booked_refunded - before.booked_refunded;
  const disputed = now.booked_disputed - before.booked_disputed;
  const won = now.booked_dispute_won - before.booked_dispute_won;
  const entryId = move(uow, account, now, 'topup', received, 'Top-up');
  move(uow, account, now, 'refund', -refunded, 'Payment refunded');
  move(uow, account, now, 'chargeback', -disputed, 'Payment charged back');
  move(uow, account, now, 'chargeback', won, 'Chargeback reversed');
  return entryId;
}

function move(
  uow: UnitOfWork,
  account: LockedAccount,
  payment: Payment,
  kind: EntryKind,
  amount: Amount,
  what: string,
): string | null {
  if (amount === 0n) return null;
  const id = randomUUIDv7();
  account.floor = floorAfter(account, amount);
  post(uow, account, {
    id,
    kind,
    amount,
    tax: 0n,
    description: `${what} (${payment.reference ?? payment.method})`,
    orderId: null,
    resource: { type: 'payment', id: payment.id },
    counterparts: [{ ledgerAccount: `cash:${payment.method}`, amount: -amount }],
  });
  return id;
}

/** Tells the customer: one mail and one event for each sum that was reached. */
function tell(uow: UnitOfWork, account: LockedAccount, before: Payment, now: Payment): void {
  const to = { accountId: account.id };
  const balance = printAmount(account.balance, account.currency);
  const received = now.booked_received - before.booked_received;
  if (received > 0n) {
    emit(uow, account, {
      type: 'account.topup_succeeded',
      resource: { type: 'payment', id: now.id },
      body: {
        payment_uuid: now.id,
        method: now.method,
        amount_minor: Number(received),
        currency: now.currency,
        automatic: now.automatic,
      },
    });
    const amount = printAmount(received, now.currency);
    queueMail(uow, {
      cause: `payment:${now.id}:received:${now.booked_received}`,
      to,
      template: 'payment.received',
      variables: { amount, method: now.method, balance },
    });
  }
  const disputed = now.booked_disputed - before.booked_disputed;
  if (disputed > 0n) {
    queueMail(uow, {
      cause: `payment:${now.id}:charged-back:${now.booked_disputed}`,
      to,
      template: 'payment.charged-back',
      variables: { amount: printAmount(disputed, now.currency), balance },
    });
  }
  if (now.state === 'failed' && before.state !== 'failed') {
    queueMail(uow, {
      cause: `payment:${now.id}:failed`,
      to,
      template: 'payment.failed',
      variables: { amount: printAmount(now.amount, now.currency), reason: now.failure ?? '' },
    });
  }
}

const MEMBERS = [
  'state',
  'failure',
  'received',
  'refunded',
  'disputed',
  'dispute_won',
] as const satisfies readonly (keyof Payment)[];

const paymentRecord = bulkUpdate<
  Pick<
    Payment,
    | 'id'
    | (typeof MEMBERS)[number]
    | 'booked_received'
    | 'booked_refunded'
    | 'booked_disputed'
    | 'booked_dispute_won'
    | 'updated_at'
  >
>(
  'payments',
  'record',
  {
    id: 'uuid',
    state: 'text',
    failure: 'text',
    received: 'bigint',
    refunded: 'bigint',
    disputed: 'bigint',
    dispute_won: 'bigint',
    booked_received: 'bigint',
    booked_refunded: 'bigint',
    booked_disputed: 'bigint',
    booked_dispute_won: 'bigint',
    updated_at: 'timestamptz',
  },
  `state = n.state, failure = n.failure, received = n.received, refunded = n.refunded, disputed = n.disputed,
   dispute_won = n.dispute_won, booked_received = n.booked_received, booked_refunded = n.booked_refunded,
   booked_disputed = n.booked_disputed, booked_dispute_won = n.booked_dispute_won, updated_at = n.updated_at`,
);
