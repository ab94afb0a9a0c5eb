import type { Logger } from 'pino';
import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { Context, Operation } from '../operation.ts';

const GATHER_MS = 1_000;
const MOST_ROWS = 2_000;

interface SecretRead {
  readonly ctx: Context;
  readonly operation: string;
  readonly subject: string | null;
  readonly at: Instant;
}

const record = statement<object>(
  'record_secret_reads',
  `INSERT INTO audit (id, created_at, account_id, user_id, token_id, operation, request_id, ip, subject, code, input)
   SELECT request_id, created_at, account_id, user_id, token_id, operation, request_id, ip, subject, 200, '{}'
   FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::inet[], $8::uuid[])
     u(request_id, created_at, account_id, user_id, token_id, operation, ip, subject)`,
);

/**
 * Audits answers that carried secrets (rule C6): who read which thing's secrets, from where. Beside the requests,
 * a second's worth in one statement, committed without waiting for the disk; a crash may lose that second.
 */
export class SecretReads {
  readonly #db: Executor;
  readonly #log: Logger;
  #waiting: SecretRead[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `db` is one that does not wait for the disk. */
  constructor(db: Executor, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  note(operation: Operation, ctx: Context, input: unknown): void {
    if (ctx.caller === null) return;
    const uuid = (input as { uuid?: unknown } | null)?.uuid;
    this.#waiting.push({
      ctx,
      operation: operation.path,
      subject: typeof uuid === 'string' ? uuid : null,
      at: ctx.now,
    });
    if (this.#waiting.length >= MOST_ROWS) this.#write();
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
      rows.map(({ ctx }) => ctx.requestId),
      rows.map(({ at }) => at),
      rows.map(({ ctx }) => ctx.caller?.accountId ?? null),
      rows.map(({ ctx }) => ctx.caller?.userId ?? null),
      rows.map(({ ctx }) => ctx.caller?.tokenId ?? null),
      rows.map(({ operation }) => operation),
      rows.map(({ ctx }) => ctx.ip),
      rows.map(({ subject }) => subject),
    ];
    this.#writing = this.#writing
      .then(async () => void (await this.#db.run(record, values)))
      .catch((error) =>
        this.#log.error({ err: error, rows: rows.length }, 'reads of secrets were not audited'),
      );
  }
}
