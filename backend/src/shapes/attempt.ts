import type { TooManyAttempts } from '../business/accounts/attempt.ts';
import type { RefusalDetail } from '../errors.ts';

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
