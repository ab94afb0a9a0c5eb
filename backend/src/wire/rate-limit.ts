import type { Instant } from '../base/time.ts';
import { CoalescedRead } from '../db/coalesce.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

export interface RateLimits {
  /** Requests per window for one token. */
  readonly perToken: number;
  /** Of one account, by all its tokens together. Without it there is none. */
  readonly perAccount?: number;
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

const lease = statement<{ bucket: string; window_start: Instant; used: number }>(
  'lease_rate',
  `INSERT INTO rate_windows (bucket, window_start, used)
   SELECT bucket, window_start, sum(amount)::int
   FROM unnest($1::text[], $2::int[], $3::timestamptz[]) u(bucket, amount, window_start)
   GROUP BY bucket, window_start ORDER BY bucket, window_start
   ON CONFLICT (bucket, window_start) DO UPDATE SET used = rate_windows.used + excluded.used
   RETURNING bucket, window_start, used`,
);

interface Bucket {
  readonly limit: number;
  /** Requests that this process may still let through. */
  left: number;
  /** What all processes together have taken, as of the last lease; null before the first of a window. */
  used: number | null;
  /** Let through before the first lease of the window arrived; taken off it. */
  ahead: number;
  leasing: Promise<void> | null;
}

/**
 * General rate limits over all processes: each leases up to 5 % of a window at a time from the database, so
 * a request costs nothing until its process's lease is used up. The first requests of a window, as many as a
 * lease, do not wait for it to arrive; beyond them the sum never exceeds the limit. What remains, as told to the
 * client, is therefore approximate.
 */
export class RateLimiter {
  readonly #db: Executor;
  #window = 0;
  #buckets = new Map<string, Bucket>();
  readonly #leases: CoalescedRead<{ name: string; window: number; amount: number }, number>;

  constructor(db: Executor) {
    this.#db = db;
    // Leases that are wanted while one statement is under way go together in the next.
    this.#leases = new CoalescedRead((wanted) => this.#take(wanted), { lanes: 1, limit: 1000 });
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
      bucket = { limit, left: 0, used: null, ahead: 0, leasing: null };
      this.#buckets.set(name, bucket);
    }
    const allowed = await this.#pass(name, bucket);
    const remaining = Math.max(0, limit - (bucket.used ?? bucket.ahead)) + bucket.left;
    return { limit, remaining, reset: window + WINDOW_SECONDS - seconds, allowed };
  }

  async #pass(name: string, bucket: Bucket): Promise<boolean> {
    while (bucket.left === 0 && (bucket.used ?? 0) < bucket.limit) {
      bucket.leasing ??= this.#lease(name, bucket).finally(() => {
        bucket.leasing = null;
      });
      if (bucket.used === null && bucket.ahead < leaseOf(bucket.limit)) {
        // Who waits for the lease later hears of its failure; this request does not depend on it.
        bucket.leasing.catch(() => {});
        bucket.ahead += 1;
        return true;
      }
      await bucket.leasing;
    }
    if (bucket.left === 0) return false;
    bucket.left -= 1;
    return true;
  }

  async #lease(name: string, bucket: Bucket): Promise<void> {
    const amount = leaseOf(bucket.limit);
    const used = await this.#leases.get({ name, window: this.#window, amount });
    const granted = Math.max(0, Math.min(amount, bucket.limit - (used - amount)));
    bucket.left += Math.max(0, granted - bucket.ahead);
    bucket.ahead = Math.max(0, bucket.ahead - granted);
    bucket.used = used;
  }

  async #take(wanted: readonly { name: string; window: number; amount: number }[]): Promise<number[]> {
    const rows = await this.#db.run(lease, [
      wanted.map((want) => want.name),
      wanted.map((want) => want.amount),
      wanted.map((want) => Temporal.Instant.fromEpochMilliseconds(want.window * 1000)),
    ]);
    const used = new Map(
      rows.map((row) => [`${row.bucket} ${row.window_start.epochMilliseconds / 1000}`, row.used]),
    );
    return wanted.map((want) => used.get(`${want.name} ${want.window}`) ?? 0);
  }
}

function leaseOf(limit: number): number {
  return Math.max(1, Math.floor(limit * LEASE_SHARE));
}
