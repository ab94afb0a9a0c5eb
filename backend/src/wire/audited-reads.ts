import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { Context, Operation } from '../operation.ts';

const GATHER_MS = 1_000;
const MOST_ROWS = 2_000;
/** How many are kept while they cannot be written, and how long until they are tried again. */
const MOST_KEPT = 20_000;
const AGAIN_MS = 5_000;

interface AuditedRead {
  readonly id: string;
  readonly ctx: Context;
  readonly accountId: string | null;
  readonly operation: string;
  readonly subject: string | null;
  readonly at: Instant;
}

const record = statement<object>(
  'record_reads',
  `INSERT INTO audit (id, created_at, account_id, user_id, token_id, operation, request_id, ip, subject, code, input)
   SELECT id, created_at, account_id, user_id, token_id, operation, request_id, ip, subject, 200, '{"read": true}'
   FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::inet[], $8::uuid[], $9::uuid[])
     u(id, created_at, account_id, user_id, token_id, operation, ip, subject, request_id)`,
);

/**
 * Audits answers that carried secrets, and those that showed an operator what is a customer's: who read which thing, from
 * where. Beside the requests, a second's worth in one statement, committed without waiting for the disk; a crash may lose
 * that second.
 */
export class AuditedReads {
  readonly #db: Executor;
  readonly #log: Logger;
  #waiting: AuditedRead[] = [];
  /** They could not be written the last time. */
  #away = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `db` is one that does not wait for the disk. */
  constructor(db: Executor, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Notes an answer if it is audited. */
  note(operation: Operation, ctx: Context, input: unknown, answer: unknown): void {
    const { caller } = ctx;
    if (caller === null) return;
    const byOperator = caller.role === 'staff' || caller.impersonatedBy !== null;
    if (operation.secrets.length === 0 && !byOperator) return;
    const asked = (input ?? {}) as { uuid?: unknown; customer_uuid?: unknown };
    const subject = typeof asked.uuid === 'string' ? asked.uuid : null;
    const named = typeof asked.customer_uuid === 'string' ? asked.customer_uuid : null;
    const shown = operation.shows?.(answer) ?? [];
    const accounts = new Set(shown.length > 0 ? shown : [caller.accountId ?? named]);
    if (this.#waiting.length >= MOST_KEPT) {
      this.#log.error({ rows: accounts.size }, 'reads were not audited');
      return;
    }
    for (const accountId of accounts) {
      const id = accountId === caller.accountId ? ctx.requestId : randomUUIDv7();
      this.#waiting.push({ id, ctx, accountId, operation: operation.path, subject, at: ctx.now });
    }
    if (this.#waiting.length >= MOST_ROWS && !this.#away) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), GATHER_MS).unref();
  }

  /** Everything noted so far is written. */
  async settled(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length === 0) return;
    const values = [
      rows.map(({ id }) => id),
      rows.map(({ at }) => at),
      rows.map(({ accountId }) => accountId),
      rows.map(({ ctx }) => ctx.caller?.userId ?? null),
      rows.map(({ ctx }) => ctx.caller?.tokenId ?? null),
      rows.map(({ operation }) => operation),
      rows.map(({ ctx }) => ctx.ip),
      rows.map(({ subject }) => subject),
      rows.map(({ ctx }) => ctx.requestId),
    ];
    this.#writing = this.#writing
      .then(async () => {
        await this.#db.run(record, values);
        this.#away = false;
      })
      .catch((error: unknown) => this.#keep(rows, error));
  }

  /** As when the database is away, or only reads: they are written when it is back. */
  #keep(rows: readonly AuditedRead[], error: unknown): void {
    this.#away = true;
    const kept = rows.slice(0, Math.max(0, MOST_KEPT - this.#waiting.length));
    this.#waiting.unshift(...kept);
    this.#log.warn({ err: error, rows: kept.length }, 'reads are audited when the database writes again');
    if (kept.length < rows.length)
      this.#log.error({ rows: rows.length - kept.length }, 'reads were not audited');
    this.#timer ??= setTimeout(() => this.#write(), AGAIN_MS).unref();
  }
}
