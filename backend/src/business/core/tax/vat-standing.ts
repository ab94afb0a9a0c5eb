import type { Instant } from '../../../base/time.ts';
import { isBefore } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

/** For how long a number that was valid counts as valid without being asked for again. */
const CONFIRMED_DAYS = 90;
const HOURS_PER_DAY = 24;

/** What is known of a customer's VAT number. Only `valid` makes a business of the customer. */
export interface VatStatus {
  readonly state: 'not_checked' | 'valid' | 'invalid' | 'unavailable';
  /** When the register said so, or did not answer. */
  readonly checkedAt: Instant | null;
  /** The name that the number is registered under, where the register tells. */
  readonly name: string | null;
}

export const NOT_CHECKED: VatStatus = { state: 'not_checked', checkedAt: null, name: null };

interface Checked {
  readonly state: 'valid' | 'invalid' | 'unavailable';
  readonly name: string | null;
  readonly checked_at: Instant;
}

// The last answer, and the last time that there was none.
const lastChecks = statement<Checked>(
  'last_vat_checks',
  `SELECT DISTINCT ON (state = 'unavailable') state, name, checked_at FROM vat_checks
   WHERE account_id = $1 AND vat_id = $2 ORDER BY state = 'unavailable', checked_at DESC`,
);

/** What the consultations about this number, made for this account, come to at `now`. */
export async function vatStatus(
  db: Executor,
  accountId: string,
  vatId: string,
  now: Instant,
): Promise<VatStatus> {
  return standingAfter(await db.run(lastChecks, [accountId, vatId]), now);
}

/**
 * That the register does not answer says nothing: what it said last holds for 90 days. After that, or when it has
 * never answered, the number is unconfirmed, which is another thing than invalid.
 */
export function standingAfter(checks: readonly Checked[], now: Instant): VatStatus {
  const answer = checks.find(({ state }) => state !== 'unavailable');
  const silence = checks.find(({ state }) => state === 'unavailable');
  const oldest = now.subtract({ hours: CONFIRMED_DAYS * HOURS_PER_DAY });
  const holds = answer?.state === 'valid' && !isBefore(answer.checked_at, oldest);
  const last =
    answer === undefined ||
    (!holds && silence !== undefined && isBefore(answer.checked_at, silence.checked_at))
      ? silence
      : answer;
  if (last === undefined) return NOT_CHECKED;
  const state = last.state === 'valid' && !holds ? 'unavailable' : last.state;
  return { state, checkedAt: last.checked_at, name: state === 'valid' ? last.name : null };
}
