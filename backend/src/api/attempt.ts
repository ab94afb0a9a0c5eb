import { type AttemptLimit, attempt, type TooManyAttempts } from '../business/core/access/attempt.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import type { ReadContext } from '../operation.ts';

const BUSY_SECONDS = 5;

/** What to say with `rate_limited`: when a limit was passed, or (null) when too many others are being served. */
export function tooManyAttempts(tooMany: TooManyAttempts | null): RefusalDetail {
  if (tooMany === null) return { members: { retry_after: BUSY_SECONDS } };
  return {
    members: {
      limit: tooMany.limit,
      window_seconds: tooMany.windowSeconds,
      retry_after: tooMany.retryAfter,
    },
  };
}

/** Counts an attempt (rule A10), and refuses it beyond the limits. Before the transaction: a refusal does not undo it. */
export async function countAttempt(
  ctx: Pick<ReadContext, 'db' | 'now'> & { refusal(code: 'rate_limited', detail: RefusalDetail): Refusal },
  limits: readonly AttemptLimit[],
): Promise<void> {
  const tooMany = await attempt(ctx.db, limits, ctx.now);
  if (tooMany !== null) throw ctx.refusal('rate_limited', tooManyAttempts(tooMany));
}
