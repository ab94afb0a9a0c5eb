import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { networkOf } from '../base/ip.ts';
import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { ERRORS, type ErrorCode, type Refusal } from '../errors.ts';
import type { Caller } from '../operation.ts';

const GATHER_MS = 60_000;
/** Kept apart until they are written; what else is refused meanwhile is counted without saying of whom or where. */
const MOST_APART = 1_000;

/** What somebody is refused who guesses, or has got hold of something that was not meant for them. */
const TRAILED: ReadonlySet<ErrorCode> = new Set([
  'credentials_invalid',
  'password_invalid',
  'two_factor_invalid',
  'csrf_token_invalid',
  'scope_missing',
  'token_restricted',
  'ip_not_allowed',
  'rate_limited',
]);

interface Gathered {
  readonly operation: string;
  readonly code: ErrorCode;
  readonly accountId: string | null;
  readonly userId: string | null;
  readonly tokenId: string | null;
  readonly requestId: string;
  readonly ip: string | null;
  readonly since: Instant;
  until: Instant;
  times: number;
}

const record = statement<object>(
  'record_refusals',
  `INSERT INTO audit (id, created_at, account_id, user_id, token_id, operation, request_id, ip, code, input)
   SELECT id, created_at, account_id, user_id, token_id, operation, request_id, ip, code, input
   FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::inet[],
     $9::smallint[], $10::jsonb[])
     u(id, created_at, account_id, user_id, token_id, operation, request_id, ip, code, input)`,
);

/**
 * The audit of what was refused: failed log-ins, scopes that a token lacks, forged requests, and too many of any. A
 * minute's are gathered, so that who tries ten thousand times leaves some rows and not as many: one for each operation,
 * error, person or token and network, with how many there were. Beside the requests; a crash may lose that minute.
 */
export class RefusalTrail {
  readonly #db: Executor;
  readonly #log: Logger;
  #gathered = new Map<string, Gathered>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `db` is one that does not wait for the disk. */
  constructor(db: Executor, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  note(
    refusal: Refusal,
    operation: string,
    from: {
      readonly caller: Caller | null;
      readonly ip: string;
      readonly requestId: string;
      readonly now: Instant;
    },
  ): void {
    const { code } = refusal;
    if (!TRAILED.has(code)) return;
    const who = from.caller ?? refusal.detail.concerns ?? null;
    const { accountId = null, userId = null, tokenId = null } = who ?? {};
    const apart = [code, operation, accountId, userId, tokenId, networkOf(from.ip)].join(' ');
    const together = `${code} ${operation}`;
    const known = this.#gathered.has(apart) || this.#gathered.size < MOST_APART;
    const key = known ? apart : together;
    const gathered = this.#gathered.get(key);
    if (gathered !== undefined) {
      gathered.times += 1;
      gathered.until = from.now;
      return;
    }
    this.#gathered.set(key, {
      operation,
      code,
      accountId: known ? accountId : null,
      userId: known ? userId : null,
      tokenId: known ? tokenId : null,
      requestId: from.requestId,
      ip: known ? from.ip : null,
      since: from.now,
      until: from.now,
      times: 1,
    });
    this.#timer ??= setTimeout(() => this.#write(), GATHER_MS).unref();
  }

  /** Everything noted so far is written. */
  async settled(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#gathered.values()];
    this.#gathered = new Map();
    if (rows.length === 0) return;
    const values = [
      rows.map(() => randomUUIDv7()),
      rows.map(({ since }) => since),
      rows.map(({ accountId }) => accountId),
      rows.map(({ userId }) => userId),
      rows.map(({ tokenId }) => tokenId),
      rows.map(({ operation }) => operation),
      rows.map(({ requestId }) => requestId),
      rows.map(({ ip }) => ip),
      rows.map(({ code }) => ERRORS[code].status),
      rows.map(({ code, times, until }) => JSON.stringify({ refused: code, times, until: until.toString() })),
    ];
    this.#writing = this.#writing
      .then(async () => void (await this.#db.run(record, values)))
      .catch((error) => this.#log.error({ err: error, rows: rows.length }, 'refusals were not audited'));
  }
}
