import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, lockInto, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { converge } from './product.ts';
import type { ServiceState } from './service.ts';

export const SUSPENSION_REASONS = ['unpaid', 'abuse', 'legal', 'operator', 'verification', 'quota'] as const;
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

/**
 * One of the reasons that a service is off for. They are a set: each is lifted by itself, and the service is
 * on again when none is left (rule E1).
 */
export interface Suspension {
  readonly reason: SuspensionReason;
  /** For operators. */
  readonly note: string;
  readonly since: Instant;
  readonly resumes_as: 'active' | 'cancel_scheduled';
}

/** A service with its row, and before it its account's, locked. */
export interface LockedService {
  readonly id: string;
  readonly account_id: string;
  readonly product: 'license' | 'server' | 'webspace' | 'domain';
  readonly state: ServiceState;
  /** When what was switched off is deleted; null: it was not. */
  readonly delete_at: Instant | null;
  readonly suspensions: readonly Suspension[];
}

/** In which states a service can be suspended. An expired one is off already, and stays off if it is renewed. */
export const SUSPENDABLE: readonly ServiceState[] = [
  'active',
  'suspended',
  'cancel_scheduled',
  'expired',
  'cancelled',
];

const findOwner = statement<{ account_id: string }>(
  'find_service_owner',
  'SELECT account_id FROM services WHERE id = $1',
);
const lockRow = statement<Omit<LockedService, 'suspensions'>>(
  'lock_service',
  'SELECT id, account_id, product, state, delete_at FROM services WHERE id = $1 AND account_id = $2 FOR UPDATE',
);
const loadSuspensions = statement<Suspension>(
  'load_suspensions',
  'SELECT reason, note, since, resumes_as FROM suspensions WHERE service_id = $1 ORDER BY since, reason',
);

/** Locks any customer's service for an operator: its account first (rule A4), then the service. */
export async function lockService(
  tx: Transaction,
  uow: UnitOfWork,
  id: string,
): Promise<LockedService | null> {
  const [owner] = await tx.run(findOwner, [id]);
  if (owner === undefined) return null;
  await lockInto(tx, uow, owner.account_id);
  const [service] = await tx.run(lockRow, [id, owner.account_id]);
  if (service === undefined) return null;
  return { ...service, suspensions: await tx.run(loadSuspensions, [id]) };
}

const insert = statement<object>(
  'insert_suspension',
  'INSERT INTO suspensions (service_id, reason, note, since, resumes_as) VALUES ($1, $2, $3, $4, $5)',
);
const remove = statement<object>(
  'delete_suspension',
  'DELETE FROM suspensions WHERE service_id = $1 AND reason = $2',
);
const setState = statement<object>(
  'set_service_state',
  'UPDATE services SET state = $2, version = version + 1 WHERE id = $1',
);

/** Adds a reason, and switches the service off if it is on. Nothing changes when it is there already. */
export async function suspend(
  tx: Transaction,
  uow: UnitOfWork,
  service: LockedService,
  { reason, note }: { readonly reason: SuspensionReason; readonly note: string },
): Promise<LockedService> {
  if (service.suspensions.some((one) => one.reason === reason)) return service;
  const scheduled =
    service.state === 'cancel_scheduled' || service.suspensions[0]?.resumes_as === 'cancel_scheduled';
  const added: Suspension = {
    reason,
    note,
    since: uow.now,
    resumes_as: scheduled ? 'cancel_scheduled' : 'active',
  };
  const state = service.state === 'expired' || service.state === 'cancelled' ? service.state : 'suspended';
  await tx.run(insert, [service.id, reason, note, added.since, added.resumes_as]);
  const changed = { ...service, state, suspensions: [...service.suspensions, added] } as const;
  return await settle(tx, uow, service, changed, { type: 'suspended', reason });
}

/** Lifts a reason; with the last one the service is on again. Nothing changes when it is not there. */
export async function unsuspend(
  tx: Transaction,
  uow: UnitOfWork,
  service: LockedService,
  reason: SuspensionReason,
): Promise<LockedService> {
  const lifted = service.suspensions.find((one) => one.reason === reason);
  if (lifted === undefined) return service;
  const suspensions = service.suspensions.filter((one) => one !== lifted);
  const on = suspensions.length === 0 && service.state === 'suspended';
  await tx.run(remove, [service.id, reason]);
  const changed = { ...service, state: on ? lifted.resumes_as : service.state, suspensions };
  return await settle(tx, uow, service, changed, { type: 'unsuspended', reason });
}

async function settle(
  tx: Transaction,
  uow: UnitOfWork,
  before: LockedService,
  after: LockedService,
  event: { readonly type: 'suspended' | 'unsuspended'; readonly reason: SuspensionReason },
): Promise<LockedService> {
  if (after.state !== before.state) {
    await tx.run(setState, [after.id, after.state]);
    converge(uow, after);
  }
  emit(uow, lockedAccount(uow, after.account_id), {
    type: `${after.product}.${event.type}`,
    resource: { type: after.product, id: after.id },
    body: {
      reason: event.reason,
      state: after.state,
      reasons: after.suspensions.map((one) => one.reason),
    },
  });
  return after;
}
