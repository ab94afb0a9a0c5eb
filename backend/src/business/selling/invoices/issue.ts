import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { printAmount } from '../../../base/money.ts';
import type { Instant } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { sqlState, type Transaction } from '../../../db/transaction.ts';
import { emit, inUnitOfWork, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { Seller } from '../../core/catalog/schema/seller.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { buyersOf } from './buyer.ts';
import { claimRefunds, creditNoteOf } from './credit-note.ts';
import {
  claimOrders,
  draftOf,
  type InvoiceDraft,
  invoiceGroups,
  MOST_ORDERS,
  type Selection,
} from './draft.ts';
import { type InvoiceKind, insertInvoices } from './series.ts';

export interface Issuing {
  readonly now: Instant;
  readonly seller: Seller;
  readonly log: Pick<Logger, 'error'>;
}

interface WaitingAccount {
  account_id: string;
  waiting: number;
}

const waitingForInvoice = statement<WaitingAccount>(
  'accounts_waiting_for_invoice',
  `SELECT account_id, count(*)::int AS waiting FROM orders
   WHERE state = 'completed' AND invoice_id IS NULL AND gross > 0
     AND automatic = $1 AND closed_at < coalesce($2::timestamptz, 'infinity') AND account_id > $3
   GROUP BY account_id ORDER BY account_id LIMIT ${MOST_ORDERS}`,
);
const waitingForCreditNote = statement<WaitingAccount>(
  'accounts_waiting_for_credit_note',
  `SELECT r.account_id, count(*)::int AS waiting FROM refunds r JOIN orders o ON o.id = r.order_id
   WHERE r.invoice_id IS NULL AND o.invoice_id IS NOT NULL AND r.account_id > $1
   GROUP BY r.account_id ORDER BY r.account_id LIMIT ${MOST_ORDERS}`,
);

/** Issues an invoice for every selected order; answers how many invoices. */
export function issueInvoices(pool: Pool, issuing: Issuing, selection: Selection): Promise<number> {
  return inBatches(
    issuing,
    (after) => pool.run(waitingForInvoice, [selection.automatic, selection.closedBefore, after]),
    (accountIds) => invoiceAccounts(pool, issuing, accountIds, selection),
  );
}

/** Issues a credit note for every refund of an order that has its invoice; answers how many. */
export function issueCreditNotes(pool: Pool, issuing: Issuing): Promise<number> {
  return inBatches(
    issuing,
    (after) => pool.run(waitingForCreditNote, [after]),
    (accountIds) => creditAccounts(pool, issuing, accountIds),
  );
}

const FIRST = '00000000-0000-0000-0000-000000000000';

interface Batch {
  /** Orders or refunds that were taken on: as many as there was room for when more may wait. */
  readonly claimed: number;
  readonly issued: number;
}

/** Somebody else is at work on the account: no fault, its turn comes with the next run. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Goes through the accounts that wait, in the order of their ids, some 500 orders a transaction. An account whose
 * transaction fails is said and left for the next run: it does not keep the others waiting.
 */
async function inBatches(
  { log }: Issuing,
  waitingAfter: (accountId: string) => Promise<WaitingAccount[]>,
  issue: (accountIds: readonly string[]) => Promise<Batch>,
): Promise<number> {
  let issued = 0;
  const settle = async (accountIds: readonly string[]): Promise<void> => {
    try {
      for (let full = true; full; ) {
        const batch = await issue(accountIds);
        issued += batch.issued;
        full = batch.claimed === MOST_ORDERS;
      }
    } catch (error) {
      if (accountIds.length > 1) for (const accountId of accountIds) await settle([accountId]);
      else if (sqlState(error) !== LOCK_NOT_AVAILABLE) {
        log.error({ err: error, account: accountIds[0] }, 'an account could not be invoiced');
      }
    }
  };
  for (let after = FIRST; ; ) {
    const waiting = await waitingAfter(after);
    for (const accountIds of batchesOf(waiting)) await settle(accountIds);
    if (waiting.length < MOST_ORDERS) return issued;
    after = waiting.at(-1)?.account_id ?? after;
  }
}

/** Neighbouring accounts with at most 500 orders together; one that has more is alone. */
function batchesOf(waiting: readonly WaitingAccount[]): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const { account_id: accountId, waiting: orders } of waiting) {
    if (orders > room) {
      batches.push([]);
      room = MOST_ORDERS;
    }
    batches.at(-1)?.push(accountId);
    room -= orders;
  }
  return batches;
}

const nameInvoice = statement<object>(
  'name_invoice_of_orders',
  `UPDATE orders o SET invoice_id = n.invoice_id FROM unnest($1::uuid[], $2::uuid[]) n(id, invoice_id) WHERE o.id = n.id`,
);
const nameCreditNote = statement<object>(
  'name_credit_note_of_refunds',
  `UPDATE refunds r SET invoice_id = n.invoice_id FROM unnest($1::uuid[], $2::uuid[]) n(id, invoice_id)
   WHERE r.id = n.id`,
);

/** One transaction: whatever breaks it leaves every order without an invoice, and no number taken. */
function invoiceAccounts(
  pool: Pool,
  issuing: Issuing,
  accountIds: readonly string[],
  selection: Selection,
): Promise<Batch> {
  return inUnitOfWork(pool, issuing.now, accountIds, async (tx, uow) => {
    const orders = await claimOrders(tx, accountIds, selection, issuing.now);
    const buyerOf = await buyersOf(tx, orders);
    const groups = invoiceGroups(orders, {
      automatic: selection.automatic,
      timeZone: issuing.seller.timezone,
    });
    const drafts = groups.map((group) => {
      const [first] = group;
      if (first === undefined) throw new RangeError('an invoice over nothing');
      return draftOf(randomUUIDv7(), group, buyerOf(first));
    });
    const invoiceOf = groups.flatMap((group, index) => group.map(() => drafts[index]?.id));
    await Promise.all([
      tx.run(nameInvoice, [groups.flat().map(({ id }) => id), invoiceOf]),
      numberAndTell(tx, uow, 'invoice', drafts, issuing),
    ]);
    return { claimed: orders.length, issued: drafts.length };
  });
}

function creditAccounts(pool: Pool, issuing: Issuing, accountIds: readonly string[]): Promise<Batch> {
  return inUnitOfWork(pool, issuing.now, accountIds, async (tx, uow) => {
    const refunds = await claimRefunds(tx, accountIds);
    const drafts = refunds.map((refund) => creditNoteOf(randomUUIDv7(), refund));
    await Promise.all([
      tx.run(nameCreditNote, [refunds.map(({ id }) => id), drafts.map(({ id }) => id)]),
      numberAndTell(tx, uow, 'credit_note', drafts, issuing),
    ]);
    return { claimed: refunds.length, issued: drafts.length };
  });
}

/** Gives drafts their numbers, and tells each customer: an event and a mail. */
async function numberAndTell(
  tx: Transaction,
  uow: UnitOfWork,
  kind: InvoiceKind,
  drafts: readonly InvoiceDraft[],
  issuing: Issuing,
): Promise<void> {
  const numbers = await insertInvoices(tx, kind, drafts, issuing);
  for (const { id, accountId, gross, currency } of drafts) {
    const given = numbers.get(id);
    if (given === undefined) throw new Error(`invoice ${id} was given no number`);
    emit(uow, lockedAccount(uow, accountId), {
      type: 'invoice.issued',
      resource: { type: 'invoice', id },
      body: { invoice_uuid: id, number: given, kind, gross_minor: Number(gross), currency },
    });
    queueMail(uow, {
      cause: `invoice:${id}`,
      to: { accountId },
      template: 'invoice.issued',
      variables: { number: given, gross: printAmount(gross, currency), kind },
    });
  }
}
