import type { z } from 'zod';
import type { Sealer } from './base/seal.ts';
import type { Signer } from './base/sign.ts';
import type { Instant } from './base/time.ts';
import type { CatalogStore, CatalogVersion } from './business/core/catalog/versions.ts';
import type { Executor } from './db/pool.ts';
import type { Transaction } from './db/transaction.ts';
import type { QueryPorts } from './drivers/ports.ts';
import type { Concerned, ErrorCode, Refusal, RefusalDetail } from './errors.ts';
import type { UnitOfWork } from './unit-of-work/unit-of-work.ts';

/** Who may call: anyone, a customer's token, an operator's token, or whoever has a token of either kind. */
export type Audience = 'public' | 'customer' | 'staff' | 'person';

export type Locale = 'en' | 'de';
export type Text = { readonly [L in Locale]: string };

/** Who calls, as the token says. A staff token belongs to no account. */
export interface Caller {
  readonly accountId: string | null;
  readonly userId: string;
  readonly tokenId: string;
  readonly kind: 'session' | 'api';
  readonly role: 'owner' | 'admin' | 'billing' | 'technical' | 'readonly' | 'staff';
  readonly scopes: readonly string[];
  readonly resourceAllowlist: readonly string[] | null;
  readonly dryRunOnly: boolean;
  /** Whether the token may order what is new: of those for certain things, only the ones that were given that. */
  readonly mayOrderNew: boolean;
  /** Whether the token is bound to addresses, things or a budget. */
  readonly limited: boolean;
  /** The operator who acts in the customer's place with this session. */
  readonly impersonatedBy: string | null;
  /** An operator's log-in that may only set up two-factor authentication, which operators must have. */
  readonly lacksSecondFactor: boolean;
  readonly expiresAt: Instant | null;
}

/** Several of one name are set one by one, as cookies are. */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>;

type CallerFor<A extends Audience> = A extends 'public'
  ? Caller | null
  : A extends 'customer'
    ? Caller & { readonly accountId: string }
    : A extends 'staff'
      ? Caller & { readonly accountId: null }
      : Caller;

/** What every operation gets. */
export interface Context<A extends Audience = Audience, E extends ErrorCode = ErrorCode> {
  /** Read once per request; the only "now" there is. */
  readonly now: Instant;
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly locale: Locale;
  /** The affiliate's code that the request's cookie names; null without one. */
  readonly referralCode: string | null;
  /** What the request's cookie says of who was in before from this device; null without it. */
  readonly deviceCookie: string | null;
  readonly caller: CallerFor<A>;
  /** What is sold and for how much, at most 900 ms old; orders ask `catalogs` inside their transaction. */
  readonly catalog: CatalogVersion;
  readonly catalogs: CatalogStore;
  readonly sealer: Sealer;
  readonly signer: Signer;
  /** The address that customers reach this installation at, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether people may open accounts themselves. */
  readonly registration: 'open' | 'closed';
  /** What the caller may still ask for in the running window, and the seconds until it ends. */
  readonly rate: { readonly limit: number; readonly remaining: number; readonly reset: number };
  /** `throw ctx.refusal('not_found')`: only errors that the operation declares compile. */
  refusal(code: E, detail?: RefusalDetail): Refusal;
}

/** A read: the database outside any transaction, and the queries of ports. */
export interface ReadContext<A extends Audience = Audience, E extends ErrorCode = ErrorCode>
  extends Context<A, E> {
  readonly db: Executor;
  readonly ports: QueryPorts;
}

/** A write: inside the transaction, where no port can be reached. */
export interface WriteContext<A extends Audience = Audience, E extends ErrorCode = ErrorCode>
  extends Context<A, E> {
  /** The locked accounts, and everything that is going to be written. */
  readonly uow: UnitOfWork;
}

/** How a thing is found among the caller's own; missing and someone else's look the same. */
export interface Resource<T> {
  readonly type: 'license' | 'server' | 'webspace' | 'domain' | 'task' | 'ticket';
  /** One answer per key, in order; null where the account has no such thing. */
  load(db: Executor, keys: readonly ResourceKey[]): Promise<readonly (T | null)[]>;
  /** What an input names it by, where that is not always its `uuid`. */
  keyOf?(input: unknown): string;
  /** What a token's allowlist names it by, when that is another thing: a task's is its server's uuid. */
  belongsTo?(found: T): string;
  /** The same for one, with its row locked until the transaction ends. */
  lock(tx: Transaction, key: ResourceKey): Promise<T | null>;
}

export interface ResourceKey {
  readonly accountId: string;
  /** Or what {@link Subject.keyOf} answers instead. */
  readonly uuid: string;
}

interface Common<A extends Audience, I extends z.ZodType, O extends z.ZodType, E extends ErrorCode> {
  readonly method: 'GET' | 'POST';
  /** `group/operation`, the same as the file's path. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly audience: A;
  /** What a token must be allowed; null for public operations. */
  readonly scope: A extends 'public' ? null : string;
  readonly input: I;
  readonly output: O;
  readonly message: Text;
  /** none: it may be repeated at will; keys are ignored and nothing is audited. Reads always are. */
  readonly effect?: 'none' | 'write';
  /**
   * It changes who gets in, or how: passwords, second factors, addresses, people, tokens; or it gives away all that
   * the account has. Refused to an operator in the customer's place, and to tokens that are limited, which could
   * shed their limits by it.
   */
  readonly security?: boolean;
  /**
   * It sets a password or a key of a server or webspace, by which its owner comes back later. An operator in the customer's
   * place is refused; limited tokens are not. As a list: only with one of these members of the input.
   */
  readonly plantsAccess?: boolean | readonly string[];
  /**
   * What `account/` tells and does concerns the whole account, and is refused to tokens for certain things only
   * (decision 17). true: it keeps to those things by itself, or concerns nothing but the token.
   */
  readonly respectsAllowlist?: boolean;
  /** Its own refusals, beyond those that any operation may answer with. */
  readonly errors: readonly E[];
  /** Names of input and output members that are secrets: never logged, audited or kept in clear. */
  readonly secrets?: readonly string[];
  /** How many bytes its requests may have, when more than others. */
  readonly bodyLimit?: number;
  /** A request for the reference. What it is answered stands in `answers.generated.json`. */
  readonly example: { readonly input: z.input<I> };
}

/** Answers from the database and from queries of ports. Changes nothing; ignores Idempotency-Key. */
export interface ReadOperation<
  A extends Audience,
  I extends z.ZodType,
  O extends z.ZodType,
  E extends ErrorCode,
  S,
> extends Common<A, I, O, E> {
  readonly resource?: Resource<S>;
  /** The uuids of the accounts whose affairs the answer shows an operator, where the input does not name the account. */
  shows?(data: z.output<O>): readonly string[];
  read(ctx: ReadContext<A, E>, input: z.output<I>, resource: S): Promise<z.input<O>> | z.input<O>;
}

/** Changes something, in one transaction. Work on back ends is left to jobs that it enqueues. */
export interface WriteOperation<
  A extends Audience,
  I extends z.ZodType,
  O extends z.ZodType,
  E extends ErrorCode,
  S,
  Asked,
> extends Common<A, I, O, E> {
  readonly resource?: Resource<S>;
  /** false for operations that no account stands behind yet (log-in): they refuse an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Queries of ports, before the transaction begins. */
  ask?(ctx: Context<A, E> & { ports: QueryPorts; db: Executor }, input: z.output<I>): Promise<Asked>;
  handle(
    tx: Transaction,
    ctx: WriteContext<A, E>,
    input: z.output<I>,
    resource: S,
    asked: Asked,
  ): Promise<z.input<O>> | z.input<O>;
  /** For asynchronous operations: the answer once `data.task` has finished (`Prefer: wait`). */
  settle?(
    data: z.input<O>,
    task: { state: string },
    ctx: Context<A, E> & { db: Executor },
  ): Promise<z.input<O>> | z.input<O>;
  /** Who came in by it, for the audit: of a log-in, where nobody is known before. */
  signsIn?(data: z.output<O>, asked: Asked): Concerned;
  /** Headers beside the answer, such as a session's cookie; from `asked`, what the body must not carry. */
  headers?(data: z.output<O>, ctx: Context<A, E>, asked: Asked): AnswerHeaders;
}

/**
 * Changes something for many callers in one transaction: `load` reads what all items need, `decide` answers
 * each in order of arrival (pure: it reads and updates the loaded state and adds to `ctx.unit of work.changes`), and
 * everything is written at once. `decide` throws a refusal before it has changed anything.
 */
export interface BatchOperation<
  A extends Audience,
  I extends z.ZodType,
  O extends z.ZodType,
  E extends ErrorCode,
  State,
> extends Common<A, I, O, E> {
  readonly batch: {
    /** Sent together with the locking of the accounts; nothing is decided before all of it is there. */
    load(tx: Transaction, items: readonly BatchItem<A, I, E>[]): Promise<State>;
    decide(state: State, ctx: WriteContext<A, E>, input: z.output<I>): z.input<O>;
  };
}

export interface BatchItem<A extends Audience, I extends z.ZodType, E extends ErrorCode> {
  readonly ctx: Context<A, E>;
  readonly input: z.output<I>;
}

/** The erased form that the wire, the documents and the enumerating tests see. */
export interface Operation {
  readonly kind: 'read' | 'write' | 'batch';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly audience: Audience;
  readonly scope: string | null;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly message: Text;
  readonly security: boolean;
  readonly plantsAccess: boolean;
  /** Members of the input that set a password or a key of what is made. */
  readonly plantingMembers: readonly string[];
  /** Refused to tokens for certain things only. */
  readonly wholeAccount: boolean;
  readonly errors: readonly ErrorCode[];
  readonly secrets: readonly string[];
  readonly bodyLimit: number | null;
  readonly example: { readonly input: unknown };
  readonly effect: 'none' | 'write';
  readonly idempotent: boolean;
  readonly resource: Resource<unknown> | null;
  readonly shows: ((data: unknown) => readonly string[]) | null;
  readonly read: ((ctx: ReadContext, input: unknown, resource: unknown) => unknown) | null;
  readonly ask:
    | ((ctx: Context & { ports: QueryPorts; db: Executor }, input: unknown) => Promise<unknown>)
    | null;
  readonly handle:
    | ((tx: Transaction, ctx: WriteContext, input: unknown, resource: unknown, asked: unknown) => unknown)
    | null;
  readonly batch: {
    load(tx: Transaction, items: readonly { ctx: Context; input: unknown }[]): Promise<unknown>;
    decide(state: unknown, ctx: WriteContext, input: unknown): unknown;
  } | null;
  readonly settle:
    | ((data: unknown, task: { state: string }, ctx: Context & { db: Executor }) => unknown)
    | null;
  readonly signsIn: ((data: unknown, asked: unknown) => Concerned) | null;
  readonly headers: ((data: unknown, ctx: Context, asked: unknown) => AnswerHeaders) | null;
}

/**
 * Declares an operation: the one place that names its route, input, output, errors, and what it does.
 * Routing, validation, documents and tests are made from it. The file's path is the operation's path.
 */
export function operation<
  const A extends Audience,
  I extends z.ZodType,
  O extends z.ZodType,
  const E extends ErrorCode = never,
  S = undefined,
>(definition: ReadOperation<A, I, O, E, S>): Operation;
export function operation<
  const A extends Audience,
  I extends z.ZodType,
  O extends z.ZodType,
  const E extends ErrorCode = never,
  S = undefined,
  Asked = undefined,
>(definition: WriteOperation<A, I, O, E, S, Asked>): Operation;
export function operation<
  const A extends Audience,
  I extends z.ZodType,
  O extends z.ZodType,
  State,
  const E extends ErrorCode = never,
>(definition: BatchOperation<A, I, O, E, State>): Operation;
export function operation(definition: object): Operation {
  const { respectsAllowlist, plantsAccess, ...given } = definition as Partial<Operation> &
    Omit<Operation, 'kind' | 'plantsAccess'> & {
      readonly respectsAllowlist?: boolean;
      readonly plantsAccess?: boolean | readonly string[];
    };
  return {
    ...given,
    kind: given.read ? 'read' : given.batch ? 'batch' : 'write',
    security: given.security ?? false,
    plantsAccess: plantsAccess === true,
    plantingMembers: typeof plantsAccess === 'object' ? plantsAccess : [],
    wholeAccount: given.audience !== 'public' && given.path.startsWith('account/') && !respectsAllowlist,
    secrets: given.secrets ?? [],
    bodyLimit: given.bodyLimit ?? null,
    effect: given.read ? 'none' : (given.effect ?? 'write'),
    idempotent: !given.read && given.effect !== 'none' && (given.idempotent ?? true),
    resource: given.resource ?? null,
    shows: given.shows ?? null,
    read: given.read ?? null,
    ask: given.ask ?? null,
    handle: given.handle ?? null,
    batch: given.batch ?? null,
    settle: given.settle ?? null,
    signsIn: given.signsIn ?? null,
    headers: given.headers ?? null,
  };
}
