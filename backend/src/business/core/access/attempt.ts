import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** How often something may be tried: so many times in each window, counted for `bucket` over all processes. */
export interface AttemptLimit {
  readonly bucket: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface TooManyAttempts {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Seconds until the window ends. */
  readonly retryAfter: number;
}

const countAttempt = statement<{ used: number }>(
  'count_attempt',
  `INSERT INTO attempts (bucket, window_start, used) VALUES ($1, $2, 1)
   ON CONFLICT (bucket, window_start) DO UPDATE SET used = attempts.used + 1 RETURNING used`,
);

/**
 * Counts an attempt against each limit in turn, before what is tried is checked, and each in a statement that
 * commits by itself: a crash or a refusal does not forgive it (rule A10). The first limit that is passed ends
 * the counting, so that who is stopped by the limit of their own address does not use up those of others.
 * null: go on.
 */
export async function attempt(
  db: Executor,
  limits: readonly AttemptLimit[],
  now: Instant,
): Promise<TooManyAttempts | null> {
  const seconds = Math.floor(now.epochMilliseconds / 1000);
  for (const { bucket, limit, windowSeconds } of limits) {
    const start = seconds - (seconds % windowSeconds);
    const window = Temporal.Instant.fromEpochMilliseconds(start * 1000);
    const [row] = await db.run(countAttempt, [bucket, window]);
    if ((row?.used ?? 0) > limit) {
      return { limit, windowSeconds, retryAfter: start + windowSeconds - seconds };
    }
  }
  return null;
}

/**
 * A bucket's name. What was typed is kept as a digest only: people type passwords where the address belongs.
 */
export function bucketOf(purpose: string, ...parts: readonly string[]): string {
  return `${purpose}:${sha256(JSON.stringify(parts)).toString('base64url').slice(0, 22)}`;
}
