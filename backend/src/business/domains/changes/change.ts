import { randomUUIDv7 } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { DelegationSigner, NameServerHost } from '../../../drivers/registry/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queuedTask, taskInsert } from '../../core/tasks/task.ts';
import { bumpVersion } from '../../selling/subscriptions/version.ts';
import type { Domain } from '../domain.ts';
import { convergeDomain } from '../domain-jobs.ts';

/** What customers may have changed of a domain that is there, and the types of the tasks that do it. */
export const CHANGE_TASKS = {
  contacts: 'domain.contact_update',
  nameservers: 'domain.nameservers',
  whois_privacy: 'domain.whois_privacy_update',
} as const;
export type ChangeKind = keyof typeof CHANGE_TASKS;

/** Columns of `domains` that changes set; what is left out stays. */
export interface ChangedColumns {
  readonly owner_id?: string | null;
  readonly admin_id?: string | null;
  readonly tech_id?: string | null;
  readonly zone_id?: string | null;
  readonly nameservers?: readonly NameServerHost[] | null;
  readonly dns_hosted?: boolean;
  readonly dnssec?: boolean;
  readonly ds?: readonly DelegationSigner[];
  readonly whois_privacy?: boolean;
  readonly whois_privacy_until?: Instant | null;
}

/** One thing that the registry is to do, and how long resolvers then remember what was before. */
export interface ChangeStep {
  readonly columns: ChangedColumns;
  readonly wait_hours: number;
}

/** A change that a customer asked for, until their registry has done all of it. */
export interface DomainChange {
  /** That of its task. */
  readonly id: string;
  readonly domain_id: string;
  readonly kind: ChangeKind;
  readonly state: 'approval' | 'registry' | 'waiting';
  /** What it costs is on hold. */
  readonly order_id: string | null;
  readonly undo: ChangedColumns;
  /** What is left; in the state `registry` the first is in the books. */
  readonly steps: readonly ChangeStep[];
  /** Whether the domain is kept from being transferred for some time afterwards. */
  readonly locks: boolean;
  readonly due_at: Instant | null;
  readonly created_at: Instant;
}

const COLUMNS = 'id, domain_id, kind, state, order_id, undo, steps, locks, due_at, created_at';
const loadOf = statement<DomainChange>(
  'domain_changes_of',
  `SELECT ${COLUMNS} FROM domain_changes WHERE domain_id = $1 ORDER BY created_at, id`,
);

/** The changes of a domain that are under way, oldest first. */
export async function changesOf(db: Executor, domainId: string): Promise<readonly DomainChange[]> {
  return await db.run(loadOf, [domainId]);
}

export async function changeOf(
  db: Executor,
  domainId: string,
  kind: ChangeKind,
): Promise<DomainChange | null> {
  return (await changesOf(db, domainId)).find((change) => change.kind === kind) ?? null;
}

/**
 * Whether money is on hold for a change of a domain that its registry may have heard of, so that only the registry's word
 * ends it. One that its owners have yet to agree to is none of the registry's business.
 */
export async function isPaidChangeBegun(db: Executor, domainId: string): Promise<boolean> {
  return (await changesOf(db, domainId)).some(
    ({ order_id: orderId, state }) => orderId !== null && state !== 'approval',
  );
}

// A record of the row, with what the JSON names put over it.
const setColumns = statement<object>(
  'set_domain_columns',
  `UPDATE domains v SET (owner_id, admin_id, tech_id, zone_id, nameservers, dns_hosted, dnssec, ds, whois_privacy,
     whois_privacy_until) =
     (SELECT r.owner_id, r.admin_id, r.tech_id, r.zone_id, r.nameservers, r.dns_hosted, r.dnssec, r.ds, r.whois_privacy,
        r.whois_privacy_until
      FROM jsonb_populate_record(v, $2::jsonb) r)
   WHERE v.id = $1`,
);

/** Puts columns of a locked domain into the books, and has its registry follow. */
export async function bringInto(
  tx: Transaction,
  uow: UnitOfWork,
  domainId: string,
  columns: ChangedColumns,
): Promise<void> {
  await tx.run(setColumns, [domainId, JSON.stringify(columns)]);
  bumpVersion(uow, domainId);
  convergeDomain(uow, domainId);
}

export interface ChangeDraft {
  readonly kind: ChangeKind;
  readonly steps: readonly ChangeStep[];
  readonly orderId: string | null;
  readonly locks: boolean;
  /** Until when whoever has to agree may do so; null: nobody has to. */
  readonly approvalUntil: Instant | null;
}

/**
 * Begins a change of a locked domain: puts its first step into the books, or waits for whoever has to agree. Answers its
 * task as the wire shows it.
 */
export async function beginChange(tx: Transaction, uow: UnitOfWork, domain: Domain, draft: ChangeDraft) {
  const { approvalUntil, steps } = draft;
  const state = approvalUntil === null ? 'registry' : 'approval';
  const added = addChange(uow, domain, draft, state, approvalUntil);
  const [first] = steps;
  if (approvalUntil === null && first !== undefined) await bringInto(tx, uow, domain.id, first.columns);
  return added;
}

/**
 * Adds a change of delegation to a domain that this unit of work writes otherwise, too: it begins with the next run of the job
 * that goes on with changes.
 */
export function changeSoon(uow: UnitOfWork, domain: Domain, steps: readonly ChangeStep[]): void {
  const draft = { kind: 'nameservers', steps, orderId: null, locks: false, approvalUntil: null } as const;
  addChange(uow, domain, draft, 'waiting', uow.now);
}

function addChange(
  uow: UnitOfWork,
  domain: Domain,
  { kind, steps, orderId, locks }: ChangeDraft,
  state: DomainChange['state'],
  dueAt: Instant | null,
) {
  const id = randomUUIDv7();
  const type = CHANGE_TASKS[kind];
  const { account_id, id: domainId } = domain;
  uow.changes.add(taskInsert, {
    id,
    account_id,
    type,
    state: 'queued',
    resource_type: 'domain',
    resource_id: domainId,
    order_id: orderId,
    created_at: uow.now,
  });
  uow.changes.add(changeInsert, {
    id,
    domain_id: domainId,
    kind,
    state,
    order_id: orderId,
    undo: JSON.stringify(asTheyAre(domain, steps)),
    steps: JSON.stringify(steps),
    locks,
    due_at: dueAt,
    created_at: uow.now,
  });
  return { id, task: queuedTask(id, type, { type: 'domain', uuid: domainId }, uow.now) };
}

/** What the columns that a change touches are before it. */
function asTheyAre(domain: Domain, steps: readonly ChangeStep[]): ChangedColumns {
  const touched = new Set(steps.flatMap(({ columns }) => Object.keys(columns)));
  return Object.fromEntries(Object.entries(domain).filter(([column]) => touched.has(column)));
}

const changeInsert = bulkInsert<{
  id: string;
  domain_id: string;
  kind: ChangeKind;
  state: DomainChange['state'];
  order_id: string | null;
  undo: string;
  steps: string;
  locks: boolean;
  due_at: Instant | null;
  created_at: Instant;
}>('domain_changes', {
  id: 'uuid',
  domain_id: 'uuid',
  kind: 'text',
  state: 'text',
  order_id: 'uuid',
  undo: 'jsonb',
  steps: 'jsonb',
  locks: 'boolean',
  due_at: 'timestamptz',
  created_at: 'timestamptz',
});
