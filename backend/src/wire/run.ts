import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import type { Json } from '../base/canonical.ts';
import type { Clock } from '../base/clock.ts';
import { networkOf } from '../base/ip.ts';
import { hasScope } from '../base/scope.ts';
import type { Sealer } from '../base/seal.ts';
import type { Signer } from '../base/sign.ts';
import { deviceCookieName } from '../business/core/access/known-device.ts';
import { sessionCookieName } from '../business/core/access/session.ts';
import type { CatalogStore } from '../business/core/catalog/versions.ts';
import { finishedTask } from '../business/core/tasks/task.ts';
import { CoalescedRead } from '../db/coalesce.ts';
import { isConnectionLoss } from '../db/connection-loss.ts';
import type { Pool } from '../db/pool.ts';
import { CommitUnknown, isLockTimeout, isTransient } from '../db/transaction.ts';
import type { QueryPorts } from '../drivers/ports.ts';
import { type ErrorCode, Refusal, type RefusalDetail } from '../errors.ts';
import type { Caller, Context, Locale, Operation, Resource, ResourceKey } from '../operation.ts';
import { type Answer, errorAnswer, successBody } from './answer.ts';
import { AuditedReads } from './audited-reads.ts';
import { Authenticator } from './authenticate.ts';
import { BatchQueue } from './batch-queue.ts';
import { idempotencyKey } from './idempotency.ts';
import { shownTo } from './impersonation.ts';
import { checkInput } from './input.ts';
import { LastUsed } from './last-used.ts';
import type { Metrics } from './metrics.ts';
import { RateLimiter, type RateLimits, type RateState } from './rate-limit.ts';
import { RefusalTrail } from './refusal-trail.ts';
import {
  deviceCookieOf,
  localeOf,
  preferredWait,
  type Request,
  readParameters,
  referralCodeOf,
  secretOf,
} from './request.ts';
import type { TaskWaiter } from './task-waiter.ts';
import {
  isDryRun,
  mayTouch,
  resourceKey,
  resourceOf,
  type WriteItem,
  type WriteOutcome,
  writeTogether,
} from './write.ts';

/** A resource that is being read before its request was authenticated. */
interface EarlyRead {
  readonly raw: Json;
  readonly accountId: string;
  readonly uuid: string;
  readonly resource: Promise<unknown>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface RunnerOptions {
  readonly clock: Clock;
  readonly readPool: Pool;
  readonly writePool: Pool;
  /** For counters: commits without waiting for the disk. */
  readonly counterPool: Pool;
  readonly catalogs: CatalogStore;
  readonly ports: QueryPorts;
  readonly sealer: Sealer;
  readonly signer: Signer;
  readonly publicUrl: string;
  readonly registration: 'open' | 'closed';
  readonly limits: RateLimits;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'observe'>;
  readonly taskWaiter: TaskWaiter;
}

/**
 * The one path of every request: authenticate and rate, parse, ask (ports, no connection held), then either
 * read, or begin, lock the account, look for the key, find the resource, handle, check the output, audit,
 * commit; and put the answer into the envelope. The only place that turns errors into answers.
 */
export class Runner {
  readonly #options: RunnerOptions;
  readonly authenticator: Authenticator;
  readonly #limiter: RateLimiter;
  readonly #lastUsed: LastUsed;
  readonly #auditedReads: AuditedReads;
  readonly #refusalTrail: RefusalTrail;
  readonly #queues = new Map<Operation, BatchQueue>();
  readonly #resources = new Map<Resource<unknown>, CoalescedRead<ResourceKey, unknown>>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.authenticator = new Authenticator(options.readPool, options.sealer);
    this.#limiter = new RateLimiter(options.counterPool);
    this.#lastUsed = new LastUsed(options.counterPool, options.log);
    this.#auditedReads = new AuditedReads(options.counterPool, options.log);
    this.#refusalTrail = new RefusalTrail(options.counterPool, options.log);
  }

  /** Ends what runs beside the requests; they must have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#lastUsed.settled(), this.#auditedReads.settled(), this.#refusalTrail.settled()]);
  }

  async run(request: Request): Promise<Answer> {
    const requestId = randomUUIDv7();
    const locale = localeOf(request.header('accept-language'));
    const startedAt = performance.now();
    let rate: RateState | null = null;
    let known: Caller | null = null;
    let answer: Answer;
    try {
      const early = this.#readAhead(request);
      const onCaller = (caller: Caller) => {
        known = caller;
        request.onCaller?.(caller);
      };
      const caller = await this.#authenticate(request, onCaller).catch(async (error: unknown) => {
        // Who has no good token is counted by where they come from.
        if (error instanceof Refusal) rate = await this.#rate(null, request.ip);
        throw error;
      });
      rate = await this.#rate(caller, request.ip);
      answer = await this.#answer(request, caller, requestId, locale, rate, early);
    } catch (error) {
      const from = { caller: known, ip: request.ip, requestId, now: this.#options.clock.now() };
      if (error instanceof Refusal) this.#refusalTrail.note(error, request.operation.path, from);
      answer = this.failure(error, requestId, locale, request.operation.path);
    }
    this.#options.metrics.observe(request.operation.path, answer.status, performance.now() - startedAt);
    return { ...answer, headers: { ...answer.headers, ...rateHeaders(rate), 'x-request-id': requestId } };
  }

  /** The answer to anything thrown: refusals as they are, everything else is our fault and is logged. */
  failure(error: unknown, requestId: string, locale: Locale, path: string): Answer {
    const { log, publicUrl } = this.#options;
    let refusal: Refusal;
    if (error instanceof Refusal) refusal = error;
    else if (isLockTimeout(error)) refusal = new Refusal('resource_locked');
    else if (error instanceof CommitUnknown) {
      log.warn(
        { err: error, request_id: requestId, operation: path },
        'what became of a COMMIT is not known',
      );
      refusal = new Refusal('outcome_unknown');
    } else if (isConnectionLoss(error) || isTransient(error)) {
      // Of a transaction that was run again, too: nothing of it was done.
      log.warn({ err: error, request_id: requestId, operation: path }, 'the database does not answer');
      refusal = new Refusal('backend_unavailable', { members: { backend: 'database' } });
    } else {
      log.error({ err: error, request_id: requestId, operation: path }, 'a request failed');
      refusal = new Refusal('internal_error');
    }
    return errorAnswer(refusal, { requestId, locale, publicUrl });
  }

  async #authenticate(request: Request, onCaller: (caller: Caller) => void): Promise<Caller | null> {
    const { operation } = request;
    const now = this.#options.clock.now();
    const given = secretOf(request, sessionCookieName(this.#options.publicUrl));
    if (given === null) {
      if (operation.audience === 'public') return null;
      throw new Refusal('token_missing');
    }
    const { secret, fromCookie } = given;
    let caller: Caller;
    try {
      caller = await this.authenticator.caller(secret, request.ip, now);
    } catch (error) {
      // A stale cookie must not lock anyone out of logging in.
      if (operation.audience === 'public' && fromCookie && error instanceof Refusal) return null;
      throw error;
    }
    onCaller(caller);
    if (fromCookie && operation.method === 'POST') {
      if (!this.authenticator.csrfMatches(caller.tokenId, request.header('x-csrf-token') ?? '')) {
        throw new Refusal('csrf_token_invalid');
      }
    }
    if (operation.audience === 'staff' && caller.role !== 'staff') throw new Refusal('operation_not_found');
    if (operation.audience === 'customer' && caller.accountId === null)
      throw new Refusal('operation_not_found');
    if (operation.scope !== null && !hasScope(caller.scopes, operation.scope)) {
      if (caller.lacksSecondFactor) throw new Refusal('two_factor_setup_required');
      throw new Refusal('scope_missing', { members: { required_scope: operation.scope } });
    }
    if (operation.audience !== 'public') {
      if (caller.impersonatedBy !== null && (operation.security || operation.plantsAccess))
        throw new Refusal('impersonation_restricted');
      if (caller.limited && operation.security) throw new Refusal('token_restricted');
    }
    if (operation.wholeAccount && caller.resourceAllowlist !== null) throw new Refusal('token_restricted');
    this.#lastUsed.note(caller.tokenId, now);
    return caller;
  }

  /**
   * Refuses a request by what its headers tell, as {@link run} would before it reads any parameter; false: it comes from no
   * one that is known. It is counted when it is run.
   */
  async admit(request: Omit<Request, 'body'>): Promise<boolean> {
    let known: Caller | null = null;
    const onCaller = (caller: Caller) => {
      known = caller;
      request.onCaller?.(caller);
    };
    try {
      return (await this.#authenticate({ ...request, body: null }, onCaller)) !== null;
    } catch (error) {
      if (error instanceof Refusal) {
        const from = { caller: known, ip: request.ip, requestId: randomUUIDv7() };
        this.#refusalTrail.note(error, request.operation.path, { ...from, now: this.#options.clock.now() });
        await this.#rate(null, request.ip);
      }
      throw error;
    }
  }

  /** Counts a request that nobody stands behind by where it comes from; refuses it after too many (429). */
  async countStranger(ip: string): Promise<void> {
    await this.#rate(null, ip);
  }

  /** Counts a request; answers the tighter of its limits. */
  async #rate(caller: Caller | null, ip: string): Promise<RateState> {
    const { perAddress, perToken, perAccount } = this.#options.limits;
    if (caller === null) return await this.#take(`ip:${networkOf(ip)}`, perAddress);
    const rate = await this.#take(`token:${caller.tokenId}`, perToken);
    if (caller.accountId === null || perAccount === undefined) return rate;
    const ofAccount = await this.#take(`account:${caller.accountId}`, perAccount);
    return ofAccount.remaining < rate.remaining ? ofAccount : rate;
  }

  async #take(name: string, limit: number): Promise<RateState> {
    const rate = await this.#limiter.take(name, limit, this.#options.clock.now());
    if (!rate.allowed) {
      throw new Refusal('rate_limited', {
        members: { limit: rate.limit, window_seconds: 60, retry_after: rate.reset },
        headers: rateHeaders(rate),
      });
    }
    return rate;
  }

  async #answer(
    request: Request,
    caller: Caller | null,
    requestId: string,
    locale: Locale,
    rate: RateState,
    early: EarlyRead | null,
  ): Promise<Answer> {
    const { operation } = request;
    const raw = early === null ? readParameters(request) : early.raw;
    const input = checkInput(operation.input, raw);
    if (caller != null && caller.impersonatedBy !== null && plants(operation, raw))
      throw new Refusal('impersonation_restricted');
    const ctx = this.#context(request, caller, requestId, locale, rate);
    if (operation.read !== null) return await this.#read(operation, ctx, input, early);
    return await this.#write(request, ctx, raw, input);
  }

  #context(
    request: Request,
    caller: Caller | null,
    requestId: string,
    locale: Locale,
    rate: RateState,
  ): Context {
    const { clock, catalogs, sealer, signer, publicUrl, registration } = this.#options;
    return {
      now: clock.now(),
      requestId,
      ip: request.ip,
      userAgent: request.header('user-agent')?.slice(0, 300) ?? '',
      locale,
      referralCode: referralCodeOf(request),
      deviceCookie: deviceCookieOf(request, deviceCookieName(publicUrl)),
      caller: caller as Context['caller'],
      catalog: catalogs.current(),
      catalogs,
      sealer,
      signer,
      publicUrl,
      registration,
      rate,
      refusal: (code: ErrorCode, detail?: RefusalDetail) => new Refusal(code, detail),
    };
  }

  /**
   * Begins to read the resource while the token is looked up again, of the account that the token had a moment ago:
   * one round trip instead of two. Nobody gets to see it before the token is known to allow it.
   */
  #readAhead(request: Request): EarlyRead | null {
    const { operation } = request;
    if (operation.read === null || operation.resource === null) return null;
    const secret = secretOf(request, sessionCookieName(this.#options.publicUrl))?.secret;
    const accountId = secret === undefined ? null : this.authenticator.staleAccount(secret);
    if (accountId === null) return null;
    let raw: Json;
    try {
      raw = readParameters(request);
    } catch {
      return null; // refused when its turn comes, after the token
    }
    const uuid = (raw as { uuid?: unknown } | null)?.uuid;
    if (typeof uuid !== 'string' || !UUID.test(uuid)) return null;
    const resource = this.#resource(operation.resource).get({ accountId, uuid });
    resource.catch(() => {}); // told to who waits for it
    return { raw, accountId, uuid, resource };
  }

  async #read(operation: Operation, ctx: Context, input: unknown, early: EarlyRead | null): Promise<Answer> {
    const { readPool, ports } = this.#options;
    let resource: unknown;
    if (operation.resource !== null) {
      const uuid = resourceKey(operation, input);
      const accountId = ctx.caller?.accountId ?? '';
      resource =
        early?.accountId === accountId && early.uuid === uuid
          ? await early.resource
          : await this.#resource(operation.resource).get({ accountId, uuid });
      if (resource === null || !mayTouch(ctx, resourceOf(operation, resource, uuid)))
        throw new Refusal('not_found');
    }
    const data = await operation.read?.({ ...ctx, db: readPool, ports }, input, resource);
    const checked = shownTo(ctx.caller, operation, operation.output.parse(data));
    this.#auditedReads.note(operation, ctx, input, checked);
    return { status: 200, headers: {}, body: successBody(operation.message, 200, checked, ctx.locale) };
  }

  async #write(request: Request, ctx: Context, raw: Json, input: unknown): Promise<Answer> {
    const { operation } = request;
    const { readPool, ports } = this.#options;
    const dryRun = isDryRun(input);
    if (ctx.caller?.dryRunOnly === true && !dryRun) throw new Refusal('dry_run_only');
    const effect = operation.effect === 'write' && !dryRun;
    const item: WriteItem = {
      operation,
      ctx,
      input,
      effect,
      key: !effect ? null : idempotencyKey(operation, ctx.caller, request.header('idempotency-key'), raw),
      asked: await operation.ask?.({ ...ctx, ports, db: readPool }, input),
    };
    const outcome = await this.#queue(operation).submit(item);
    if (outcome.kind === 'refused') throw outcome.refusal;
    if (outcome.kind === 'locked') throw new Refusal('resource_locked');
    if (outcome.replayed) {
      return { ...outcome.answer, headers: { ...outcome.answer.headers, 'idempotent-replayed': 'true' } };
    }
    return await this.#settled(request, ctx, outcome);
  }

  /** `Prefer: wait=N` (RFC 7240): waits, after the commit, for the task to finish. */
  async #settled(
    request: Request,
    ctx: Context,
    outcome: WriteOutcome & { kind: 'answered' },
  ): Promise<Answer> {
    const { operation } = request;
    const seconds = preferredWait(request.header('prefer'));
    const task = (outcome.data as { task?: { uuid: string } | null } | null)?.task;
    if (outcome.answer.status !== 202 || seconds === 0 || !task) return outcome.answer;
    if (!(await this.#options.taskWaiter.finished(task.uuid, seconds))) return outcome.answer;
    const finished = await finishedTask(
      this.#options.readPool,
      ctx.caller?.accountId ?? '',
      task.uuid,
      ctx.locale,
    );
    if (finished === null) return outcome.answer;
    const data = { ...(outcome.data as object), task: finished };
    const settled = shownTo(
      ctx.caller,
      operation,
      operation.output.parse(
        (await operation.settle?.(data, finished, { ...ctx, db: this.#options.readPool })) ?? data,
      ),
    );
    const body = successBody(operation.message, 200, settled, ctx.locale);
    return {
      status: 200,
      headers: { ...outcome.answer.headers, 'preference-applied': `wait=${seconds}` },
      body,
    };
  }

  #queue(operation: Operation): { submit(item: WriteItem): Promise<WriteOutcome> } {
    let queue = this.#queues.get(operation);
    if (queue === undefined) {
      const write = (items: readonly WriteItem[]) => writeTogether(this.#options.writePool, items);
      queue = new BatchQueue(write, operation.batch !== null);
      this.#queues.set(operation, queue);
    }
    return queue;
  }

  #resource(resource: Resource<unknown>): CoalescedRead<ResourceKey, unknown> {
    let read = this.#resources.get(resource);
    if (read === undefined) {
      read = new CoalescedRead((keys) => resource.load(this.#options.readPool, keys));
      this.#resources.set(resource, read);
    }
    return read;
  }
}

/** Whether a request gives what somebody gets in with later. */
function plants({ plantingMembers }: Operation, raw: Json): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  return plantingMembers.some((name) => Object.hasOwn(raw, name));
}

function rateHeaders(rate: RateState | null): Record<string, string> {
  if (rate === null) return {};
  return {
    'ratelimit-limit': String(rate.limit),
    'ratelimit-remaining': String(rate.remaining),
    'ratelimit-reset': String(rate.reset),
  };
}
