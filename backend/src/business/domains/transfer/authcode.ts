import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Sealer } from '../../../base/seal.ts';
import { type Instant, isBefore } from '../../../base/time.ts';
import type { Domain } from '../domain.ts';

/** What `domains.authcode_sealed` is sealed for. */
export const DOMAIN_AUTHCODE = 'domain-authcode';

/** Whether this is the code that the customer of a domain of ours was given, and it holds still (RFC 9154). */
export function isAuthcodeOf(
  { authcode_sealed: sealed, authcode_expires_at: until }: Domain,
  sealer: Sealer,
  given: string,
  now: Instant,
): boolean {
  if (sealed === null || (until !== null && !isBefore(now, until))) return false;
  return timingSafeEqual(sha256(sealer.open(DOMAIN_AUTHCODE, sealed)), sha256(given));
}
