import type { Amount } from '../../base/money.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { LockedAccount, UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import {
  type Cancellable,
  type CancellationPlan,
  loadCancellable,
  planCancellation,
} from '../selling/subscriptions/cancellation/cancellation-plan.ts';
import { lockService } from '../selling/subscriptions/suspension.ts';

/** What stands against closing an account. */
export const OBSTACLES = [
  'services_running',
  'too_many_services',
  'orders_open',
  'payments_pending',
  'debt',
  'payout_account_missing',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** Services that one closing ends; more are cancelled one by one before it. */
const MOST_SERVICES = 100;
/** Tax law keeps invoices to the end of the tenth year after theirs. */
const KEPT_YEARS = 10;

/** Where the balance goes. */
export interface PayoutAccount {
  readonly iban: string;
  readonly holder: string;
}

export interface Closing {
  /** Whether services that run are ended by it. */
  readonly endServices: boolean;
  readonly payout: PayoutAccount | null;
}

/** What closing comes to, before anything is done. */
export interface ClosingPlan {
  readonly services: readonly { readonly service: Cancellable; readonly plan: CancellationPlan }[];
  readonly balance: Amount;
  /** What the services give back. */
  readonly refunded: Amount;
  /** What of both is paid out. */
  readonly payout: Amount;
  readonly invoices: number;
  /** Until the end of which year invoices and bookings are kept. */
  readonly keptUntil: number;
  readonly obstacles: readonly Obstacle[];
}

const running = statement<{ id: string }>(
  'services_to_close',
  `SELECT id FROM services WHERE account_id = $1 AND ended_at IS NULL ORDER BY id LIMIT ${MOST_SERVICES + 1}`,
);
const facts = statement<{ invoices: number; pending: boolean }>(
  'account_closing_facts',
  `SELECT (SELECT count(*)::int FROM invoices WHERE account_id = $1) AS invoices,
     EXISTS (SELECT FROM payments WHERE account_id = $1 AND state = 'pending' AND method <> 'bank') AS pending`,
);

/** Reads and decides what closing comes to. Locks the account's services, and changes nothing; the account must be locked. */
export async function planClosing(
  tx: Transaction,
  uow: UnitOfWork,
  catalog: CatalogVersion,
  account: LockedAccount,
  closing: Closing,
): Promise<ClosingPlan> {
  const [[fact], ids] = await Promise.all([tx.run(facts, [account.id]), tx.run(running, [account.id])]);
  const tooMany = ids.length > MOST_SERVICES;
  const services = [];
  let isDelivered = false;
  for (const { id } of tooMany ? [] : ids) {
    await lockService(tx, uow, id);
    const service = await loadCancellable(tx, id, uow.now);
    const plan = ending(uow, catalog, service);
    if (plan === null) isDelivered = true;
    else services.push({ service, plan });
  }
  const refunded = services.flatMap(({ plan }) => plan.refunds).reduce((sum, { gross }) => sum + gross, 0n);
  const left = account.balance + refunded;
  const payout = left > 0n ? left : 0n;
  const stands: readonly (readonly [Obstacle, boolean])[] = [
    ['services_running', ids.length > 0 && !closing.endServices],
    ['too_many_services', tooMany],
    // Money on hold is for what a back end is doing, or may be.
    ['orders_open', isDelivered || account.reserved > 0n],
    ['payments_pending', fact?.pending === true],
    ['debt', left < 0n],
    ['payout_account_missing', payout > 0n && closing.payout === null],
  ];
  return {
    services,
    balance: account.balance,
    refunded,
    payout,
    invoices: fact?.invoices ?? 0,
    keptUntil: uow.now.toZonedDateTimeISO('UTC').year + KEPT_YEARS,
    obstacles: stands.flatMap(([obstacle, is]) => (is ? [obstacle] : [])),
  };
}

/** By the right of withdrawal where there is one, else at once and without a refund; null: it is being delivered. */
function ending(uow: UnitOfWork, catalog: CatalogVersion, service: Cancellable): CancellationPlan | null {
  for (const mode of ['withdraw', 'immediate'] as const) {
    const decision = planCancellation(uow, catalog, service, mode);
    if (decision.kind === 'planned') return decision.plan;
  }
  return null;
}
