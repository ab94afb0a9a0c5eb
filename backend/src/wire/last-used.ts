import type { Logger } from 'pino';
import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/** How much later than written a token may have been used. */
export const LAST_USED_SECONDS = 60;
const INTERVAL_MS = LAST_USED_SECONDS * 1_000;
/** What comes up within this time is written together. */
const GATHER_MS = 2_000;

// A token whose row is being written by an order is skipped: its next use tells as much, and waiting for each
// other is thereby impossible.
const markUsed = statement<object>(
  'mark_tokens_used',
  `UPDATE tokens SET last_used_at = due.at FROM (
     SELECT t.id, u.at FROM unnest($1::uuid[], $2::timestamptz[]) u(id, at) JOIN tokens t ON t.id = u.id
     WHERE coalesce(t.last_used_at < u.at - interval '1 minute', true)
     ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED) due
   WHERE tokens.id = due.id`,
);

/**
 * Keeps `last_used_at` of tokens, beside the requests and never in their way: once a minute for a token, over
 * all processes; those that come up together are written by one statement.
 */
export class LastUsed {
  readonly #db: Executor;
  readonly #log: Logger;
  /** When each token was last noted here, as epoch milliseconds. */
  readonly #noted = new Map<string, number>();
  #due = new Map<string, Instant>();
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `db` is best one that does not wait for the disk. */
  constructor(db: Executor, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  note(tokenId: string, now: Instant): void {
    const at = now.epochMilliseconds;
    const noted = this.#noted.get(tokenId);
    if (noted !== undefined && at - noted < INTERVAL_MS) return;
    this.#noted.set(tokenId, at);
    this.#due.set(tokenId, now);
    this.#timer ??= setTimeout(() => this.#begin(), GATHER_MS).unref();
  }

  /** Everything noted so far is written. */
  async settled(): Promise<void> {
    this.#begin();
    while (this.#writing !== null) await this.#writing;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    while (this.#due.size > 0) {
      const due = this.#due;
      this.#due = new Map();
      await this.#db
        .run(markUsed, [[...due.keys()], [...due.values()]])
        .catch((error) => this.#log.warn({ err: error }, 'the last use of tokens was not written'));
      this.#forget([...due.values()].at(-1)?.epochMilliseconds ?? 0);
    }
  }

  /** Keeps the memory to the tokens of the last minute. */
  #forget(now: number): void {
    if (this.#noted.size < 10_000) return;
    for (const [id, at] of this.#noted) if (now - at >= INTERVAL_MS) this.#noted.delete(id);
  }
}
