import type { Pool } from '../db/pool.ts';
import {
  CommitUnknown,
  isLockTimeout,
  type Transaction,
  TransactionAborted,
  transaction,
  violatedConstraint,
} from '../db/transaction.ts';
import { Refusal } from '../errors.ts';
import type { Context, Operation, Text, WriteContext } from '../operation.ts';
import { loadTokenStates, lockAccounts, newUnitOfWork } from '../unit-of-work/unit-of-work.ts';
import { enqueue, type QueuedJob } from '../work/queue.ts';
import { type Answer, successBody } from './answer.ts';
import { audit } from './audit.ts';
import {
  claim,
  type IdempotencyKey,
  keyName,
  loadRemembered,
  type RememberedAnswer,
  rememberRow,
} from './idempotency.ts';
import { shownTo } from './impersonation.ts';

const DRY_RUN: Text = {
  en: 'This is what it would come to; nothing was done.',
  de: 'So würde es ausgehen; es wurde nichts getan.',
};

/** One request that wants to change something. */
export interface WriteItem {
  readonly operation: Operation;
  readonly ctx: Context;
  readonly input: unknown;
  readonly key: IdempotencyKey | null;
  /** dry_run: decided like the real thing, but without audit, key or effect. */
  readonly effect: boolean;
  readonly asked: unknown;
}

/** What became of one item. `order_id` is kept for the case that COMMIT's answer is lost. */
export type WriteOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly data: unknown; readonly replayed: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Another transaction holds the account: run it alone. */
  | { readonly kind: 'locked' };

/**
 * Runs items in one transaction (rule A2): lock the accounts, look again at tokens and keys in a new statement,
 * decide each in order of arrival, write everything by one statement, commit. Several items are of one batched
 * operation; any other operation comes alone.
 */
export async function writeTogether(pool: Pool, items: readonly WriteItem[]): Promise<WriteOutcome[]> {
  let decided: readonly WriteOutcome[] = [];
  // Of the last attempt: whether no other transaction had one of the keys under way as it began.
  let keysFree = true;
  const onClaim = (free: boolean) => {
    keysFree = free;
  };
  try {
    return await transaction(pool, async (tx) => {
      decided = [];
      keysFree = true;
      const outcomes = await decideAll(tx, items, onClaim);
      decided = outcomes;
      return outcomes;
    });
  } catch (error) {
    if (error instanceof CommitUnknown) return unknownOutcomes(items, decided);
    // A batch of several is run singly after any error, so this is told of the one key that it is true of.
    if (isLockTimeout(error)) throw new Refusal(keysFree ? 'resource_locked' : 'idempotency_in_progress');
    // A staff request has no account to queue on: two with one key meet at the key itself. Looked at again,
    // the later one finds the answer of the earlier.
    if (violatedConstraint(error) === 'idempotency_keys_pkey')
      throw new TransactionAborted('key used meanwhile');
    if (violatedConstraint(error) === 'orders_term_once') throw new Refusal('conflict');
    throw error;
  }
}

/**
 * What is told of items when no proof of their COMMIT could be had. What writes nothing stays as it is; but an answer that
 * repeats that of an item of the same transaction is as unknown as the other.
 */
function unknownOutcomes(items: readonly WriteItem[], decided: readonly WriteOutcome[]): WriteOutcome[] {
  const unknown = new Map<string, WriteOutcome>();
  return decided.map((outcome, at) => {
    const item = items[at];
    if (item === undefined || outcome.kind !== 'answered') return outcome;
    const key = item.key === null ? null : keyName(item.key);
    if (outcome.replayed) return (key === null ? undefined : unknown.get(key)) ?? outcome;
    if (!item.effect) return outcome;
    const { order_id } = (outcome.data ?? {}) as { order_id?: unknown };
    const members = typeof order_id === 'string' ? { order_id } : {};
    const refused: WriteOutcome = { kind: 'refused', refusal: new Refusal('outcome_unknown', { members }) };
    if (key !== null) unknown.set(key, refused);
    return refused;
  });
}

/**
 * Whose account is locked for an item: the caller's, if they have one. Nobody's for a public operation, which may lock
 * that of whoever a link was mailed to: a transaction waits for one account only (rule A4).
 */
function accountToLock({ operation, ctx }: WriteItem): string | null {
  return operation.audience === 'public' ? null : (ctx.caller?.accountId ?? null);
}

async function decideAll(
  tx: Transaction,
  items: readonly WriteItem[],
  onClaim: (free: boolean) => void,
): Promise<WriteOutcome[]> {
  const first = items[0];
  if (first === undefined) return [];
  const { operation, ctx } = first;
  const now = ctx.now;
  const accountIds = [...new Set(items.flatMap((item) => accountToLock(item) ?? []))];
  const tokenIds = [...new Set(items.flatMap((item) => item.ctx.caller?.tokenId ?? []))];
  const keys = items.flatMap((item) => item.key ?? []);
  // Sent without waiting in between: one round trip. The keys are claimed first, so that this is answered before the
  // locks of accounts are waited for, which none of the others does.
  const claimed = claim(tx, keys).then(onClaim);
  const [accounts, tokens, remembered, state] = await Promise.all([
    accountIds.length === 0 ? new Map() : lockAccounts(tx, accountIds, { skipLocked: items.length > 1 }),
    tokenIds.length === 0 ? new Map() : loadTokenStates(tx, tokenIds, now),
    loadRemembered(tx, keys, ctx.sealer),
    operation.batch?.load(tx, items),
    claimed,
  ]);
  const uow = newUnitOfWork(now, accounts, tokens);
  const outcomes: WriteOutcome[] = [];
  for (const item of items) {
    const accountId = accountToLock(item);
    if (accountId !== null && !accounts.has(accountId)) {
      outcomes.push({ kind: 'locked' });
      continue;
    }
    const first = uow.jobs.length;
    try {
      outcomes.push(await decideOne(tx, item, { ...item.ctx, uow }, state, remembered));
      nameRequest(uow.jobs, first, item.ctx.requestId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // A single operation may have written before it refused: nothing of it may stay.
      if (operation.batch === null) throw error;
      outcomes.push({ kind: 'refused', refusal: error });
    }
  }
  // One statement for all rows, then the jobs; COMMIT follows. Batched operations write nothing else.
  const sent = Promise.all([uow.changes.send(tx), enqueue(tx, uow.jobs)]);
  if (operation.batch === null) await sent;
  else tx.leave(sent);
  return outcomes;
}

/** What was enqueued for a request names it in the log of its jobs. */
function nameRequest(jobs: QueuedJob[], first: number, requestId: string): void {
  for (const [at, job] of jobs.entries())
    if (at >= first) jobs[at] = { ...job, payload: { ...job.payload, request_id: requestId } };
}

async function decideOne(
  tx: Transaction,
  item: WriteItem,
  ctx: WriteContext,
  state: unknown,
  remembered: Map<string, RememberedAnswer>,
): Promise<WriteOutcome> {
  const { operation } = item;
  if (ctx.caller !== null && ctx.uow.tokens.get(ctx.caller.tokenId)?.live !== true) {
    throw new Refusal('token_revoked');
  }
  const earlier = item.key === null ? undefined : remembered.get(keyName(item.key));
  if (item.key !== null && earlier !== undefined) {
    if (earlier.operation !== item.key.operation || !earlier.requestHash.equals(item.key.requestHash)) {
      throw new Refusal('idempotency_key_reused');
    }
    return { kind: 'answered', answer: earlier.answer, data: null, replayed: true };
  }
  const data = await decideData(tx, item, ctx, state);
  const checked = operation.output.parse(data);
  const status = statusOf(checked);
  const answer: Answer = {
    status,
    headers: operation.headers?.(checked, ctx, item.asked) ?? {},
    body: successBody(
      isDryRun(item.input) ? DRY_RUN : operation.message,
      status,
      shownTo(ctx.caller, operation, checked),
      ctx.locale,
    ),
  };
  if (item.effect) {
    const signedIn = operation.signsIn?.(checked, item.asked) ?? null;
    audit(ctx.uow, operation, ctx, item.input, status, signedIn);
    if (item.key !== null) {
      const { bulk, row } = rememberRow(item.key, answer, ctx.sealer, ctx.uow.now);
      ctx.uow.changes.add(bulk, row);
      remembered.set(keyName(item.key), {
        operation: item.key.operation,
        requestHash: item.key.requestHash,
        answer,
      });
    }
  }
  return { kind: 'answered', answer, data: checked, replayed: false };
}

async function decideData(
  tx: Transaction,
  item: WriteItem,
  ctx: WriteContext,
  state: unknown,
): Promise<unknown> {
  const { operation } = item;
  if (operation.batch) return operation.batch.decide(state, ctx, item.input);
  let resource: unknown;
  if (operation.resource !== null) {
    const uuid = resourceKey(operation, item.input);
    resource = await operation.resource.lock(tx, { accountId: ctx.caller?.accountId ?? '', uuid });
    if (resource === null || !mayTouch(ctx, resourceOf(operation, resource, uuid)))
      throw new Refusal('not_found');
  }
  return operation.handle?.(tx, ctx, item.input, resource, item.asked);
}

/** Whether the token's resource allowlist, if it has one, names this thing. */
export function mayTouch(ctx: Context, uuid: string): boolean {
  const allowlist = ctx.caller?.resourceAllowlist ?? null;
  return allowlist === null || allowlist.includes(uuid);
}

/** What the input names the resource by. */
export function resourceKey({ resource }: Operation, input: unknown): string {
  return resource?.keyOf?.(input) ?? (input as { uuid: string }).uuid;
}

/** The thing that a token's allowlist must name: the resource itself, or what it belongs to. */
export function resourceOf(operation: Operation, resource: unknown, uuid: string): string {
  return operation.resource?.belongsTo?.(resource) ?? uuid;
}

/** 202 while a task goes on, else 200. */
function statusOf(data: unknown): number {
  const task = (data as { task?: { state?: unknown } | null } | null)?.task;
  return task?.state === 'queued' || task?.state === 'running' ? 202 : 200;
}

export function isDryRun(input: unknown): boolean {
  return (input as { dry_run?: unknown } | null)?.dry_run === true;
}
