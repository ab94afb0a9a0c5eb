import { randomUUIDv7 } from 'node:crypto';
import { type Instant, isBefore } from '../../../base/time.ts';
import { bulkInsert, bulkUpdate } from '../../../db/changes.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { RegistryTransfer, TransferStatus } from '../../../drivers/registry/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

/** A transfer of a domain, as it is kept. */
export interface DomainTransfer {
  readonly id: string;
  readonly domain_id: string;
  /** To us, away from us, or between customers of ours. */
  readonly direction: 'in' | 'out' | 'push';
  /** Of a push: the domain that goes. */
  readonly from_domain_id: string | null;
  readonly order_id: string | null;
  readonly state: TransferStatus;
  /** What the losing customer said. */
  readonly answer: 'approve' | 'reject' | null;
  readonly requested_at: Instant;
  readonly act_at: Instant;
  readonly due_at: Instant | null;
  readonly closed_at: Instant | null;
}

/** How long the losing side has to answer, where no registry says (rule F2). */
export const ANSWER_DAYS = 5;
/** How often a registry is asked about a transfer of which it tells nothing. */
const LOOK_AGAIN = { hours: 6 };

/** How long a registry may take for a renewal or a paid change, before it is looked at again. */
const TERMS_TAKE = { minutes: 5 };

const COLUMNS = `t.id, t.domain_id, t.direction, t.from_domain_id, t.order_id, t.state, t.answer, t.requested_at, t.act_at,
  t.due_at, t.closed_at`;
const pendingOf = statement<DomainTransfer>(
  'pending_transfer',
  `SELECT ${COLUMNS} FROM domain_transfers t
   WHERE t.state = 'pending' AND (t.domain_id = $1 OR t.from_domain_id = $1) ORDER BY t.requested_at LIMIT 1`,
);

/** The transfer of a domain that is under way, to or from it. */
export async function pendingTransfer(db: Executor, domainId: string): Promise<DomainTransfer | null> {
  return (await db.run(pendingOf, [domainId]))[0] ?? null;
}

const lastOf = statement<DomainTransfer>(
  'last_transfer',
  `SELECT ${COLUMNS} FROM domain_transfers t WHERE t.domain_id = $1 OR t.from_domain_id = $1
   ORDER BY t.requested_at DESC, t.id DESC LIMIT 1`,
);

/** The last one of a domain, whatever became of it. */
export async function lastTransfer(db: Executor, domainId: string): Promise<DomainTransfer | null> {
  return (await db.run(lastOf, [domainId]))[0] ?? null;
}

export interface TransferDraft {
  readonly domainId: string;
  readonly direction: DomainTransfer['direction'];
  readonly fromDomainId: string | null;
  readonly orderId: string | null;
  readonly requestedAt: Instant;
  readonly actAt: Instant;
}

/** Adds a transfer that waits for its answer; its id. */
export function addTransfer(uow: UnitOfWork, draft: TransferDraft): string {
  const id = randomUUIDv7();
  const { actAt } = draft;
  uow.changes.add(transferInsert, {
    id,
    domain_id: draft.domainId,
    direction: draft.direction,
    from_domain_id: draft.fromDomainId,
    order_id: draft.orderId,
    state: 'pending',
    requested_at: draft.requestedAt,
    act_at: actAt,
    // Whoever has a domain of ours is told first.
    due_at: draft.direction === 'push' ? uow.now : nextLook(actAt, uow.now),
  });
  return id;
}

/** Ends it. */
export function closeTransfer(uow: UnitOfWork, id: string, state: Exclude<TransferStatus, 'pending'>): void {
  uow.changes.add(transferClose, { id, state, closed_at: uow.now });
}

/** It is pending still. */
export function lookAgain(uow: UnitOfWork, id: string, { actAt }: Pick<RegistryTransfer, 'actAt'>): void {
  uow.changes.add(transferLooked, { id, act_at: actAt, due_at: nextLook(actAt, uow.now) });
}

/** Its losing customer was told: nothing happens until they answer, or their time is over. */
export function waitForAnswer(uow: UnitOfWork, { id, act_at }: DomainTransfer): void {
  uow.changes.add(transferLooked, { id, act_at, due_at: act_at });
}

/** Its losing customer said yes, and what they pay for besides is at its registry: that goes first. */
export function waitForTerms(uow: UnitOfWork, { id, act_at }: DomainTransfer): void {
  uow.changes.add(transferLooked, { id, act_at, due_at: uow.now.add(TERMS_TAKE) });
}

function nextLook(actAt: Instant, now: Instant): Instant {
  const again = now.add(LOOK_AGAIN);
  return isBefore(now, actAt) && isBefore(actAt, again) ? actAt : again;
}

const transferInsert = bulkInsert<{
  id: string;
  domain_id: string;
  direction: string;
  from_domain_id: string | null;
  order_id: string | null;
  state: string;
  requested_at: Instant;
  act_at: Instant;
  due_at: Instant;
}>('domain_transfers', {
  id: 'uuid',
  domain_id: 'uuid',
  direction: 'text',
  from_domain_id: 'uuid',
  order_id: 'uuid',
  state: 'text',
  requested_at: 'timestamptz',
  act_at: 'timestamptz',
  due_at: 'timestamptz',
});

const transferClose = bulkUpdate<{ id: string; state: string; closed_at: Instant }>(
  'domain_transfers',
  'close',
  { id: 'uuid', state: 'text', closed_at: 'timestamptz' },
  'state = n.state, closed_at = n.closed_at, due_at = NULL',
);

const transferLooked = bulkUpdate<{ id: string; act_at: Instant; due_at: Instant }>(
  'domain_transfers',
  'looked',
  { id: 'uuid', act_at: 'timestamptz', due_at: 'timestamptz' },
  'act_at = n.act_at, due_at = n.due_at',
);

/** What its losing customer says, to be carried out by a job. */
export const transferAnswered = bulkUpdate<{
  id: string;
  answer: 'approve' | 'reject';
}>('domain_transfers', 'answered', { id: 'uuid', answer: 'text' }, 'answer = n.answer');
