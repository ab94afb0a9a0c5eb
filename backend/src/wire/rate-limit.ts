import type { Instant } from '../base/time.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

export interface RateLimits {
  /** Requests per window for one token. */
  readonly perToken: number;
  /** Requests per window for one address without a token. */
  readonly perAddress: number;
}

export const WINDOW_SECONDS = 60;
const LEASE_SHARE = 0.05;

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly allowed: boolean;
}

const lease = statement<{ bucket: string; used: number }>(
  'lease_rate',
  `INSERT INTO rate_windows (bucket, window_start, used)
   SELECT bucket, $3::timestamptz, sum(amount)::int FROM unnest($1::text[], $2::int[]) u(bucket, amount)
   GROUP BY bucket ORDER BY bucket
   ON CONFLICT (bucket, window_start) DO UPDATE SET used = rate_windows.used + excluded.used
   RETURNING bucket, used`,
);

interface Bucket {
  /** Requests that this process may still let through. */
  left: number;
  /** What all processes together have taken, as of the last lease. */
  used: number;
  leasing: Promise<void> | null;
}

/**
 * General rate limits over all processes: each leases up to 5 % of a window at a time from the database, so
 * a request costs nothing until its process's lease is used up, and the sum never exceeds the limit.
 * What remains, as told to the client, is therefore approximate.
 */
export class RateLimiter {
  readonly #db: Executor;
  #window = 0;
  #buckets = new Map<string, Bucket>();
  #wanted = new Map<string, { amount: number; limit: number; bucket: Bucket }>();
  #sending: Promise<void> | null = null;

  constructor(db: Executor) {
    this.#db = db;
  }

  async take(name: string, limit: number, now: Instant): Promise<RateState> {
    const seconds = Math.floor(now.epochMilliseconds / 1000);
    const window = seconds - (seconds % WINDOW_SECONDS);
    if (window !== this.#window) {
      this.#window = window;
      this.#buckets = new Map();
    }
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = { left: 0, used: 0, leasing: null };
      this.#buckets.set(name, bucket);
    }
    while (bucket.left === 0 && bucket.used < limit) {
      bucket.leasing ??= this.#lease(name, limit, bucket);
      await bucket.leasing;
    }
    const allowed = bucket.left > 0;
    if (allowed) bucket.left -= 1;
    const remaining = Math.max(0, limit - bucket.used) + bucket.left;
    return { limit, remaining, reset: window + WINDOW_SECONDS - seconds, allowed };
  }

  async #lease(name: string, limit: number, bucket: Bucket): Promise<void> {
    this.#wanted.set(name, { amount: Math.max(1, Math.floor(limit * LEASE_SHARE)), limit, bucket });
    // Leases that are wanted while one statement is under way go together in the next.
    this.#sending ??= this.#send();
    await this.#sending;
    if (this.#wanted.has(name)) {
      this.#sending ??= this.#send();
      await this.#sending;
    }
    bucket.leasing = null;
  }

  async #send(): Promise<void> {
    await Promise.resolve();
    const wanted = this.#wanted;
    this.#wanted = new Map();
    const start = Temporal.Instant.fromEpochMilliseconds(this.#window * 1000);
    try {
      const rows = await this.#db.run(lease, [
        [...wanted.keys()],
        [...wanted.values()].map((want) => want.amount),
        start,
      ]);
      for (const row of rows) {
        const want = wanted.get(row.bucket);
        if (want === undefined) continue;
        const before = row.used - want.amount;
        want.bucket.left = Math.max(0, Math.min(want.amount, want.limit - before));
        want.bucket.used = row.used;
      }
    } finally {
      this.#sending = null;
    }
  }
}
