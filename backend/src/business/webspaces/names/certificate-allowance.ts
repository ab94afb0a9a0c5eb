import { registrableName } from '../../../base/domain-suffix.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

const WEEK_HOURS = 7 * 24;

const fullSince = statement<{ ordered_at: Instant }>(
  'certificates_full_since',
  `SELECT ordered_at FROM certificate_orders WHERE registered_domain = $1 AND ordered_at > $2
   ORDER BY ordered_at DESC OFFSET $3 LIMIT 1`,
);
const insert = statement<object>(
  'count_certificate',
  'INSERT INTO certificate_orders (hostname, registered_domain, ordered_at) VALUES ($1, $2, $3)',
);
const forget = statement<object>(
  'forget_certificates',
  'DELETE FROM certificate_orders WHERE registered_domain = $1 AND ordered_at <= $2',
);

/**
 * When a first certificate may be ordered for a name, if not now: authorities allow so many a week for all names of a
 * registered domain (rule H4). Renewals do not count there (RFC 9773 §5).
 */
export async function certificateAllowedAt(
  db: Executor,
  hostname: string,
  perWeek: number,
  now: Instant,
): Promise<Instant | null> {
  const since = now.subtract({ hours: WEEK_HOURS });
  const [oldest] = await db.run(fullSince, [registeredDomain(hostname), since, perWeek - 1]);
  return oldest?.ordered_at.add({ hours: WEEK_HOURS }) ?? null;
}

/** Counts a first certificate that was ordered. */
export async function countCertificate(db: Executor, hostname: string, now: Instant): Promise<void> {
  const domain = registeredDomain(hostname);
  await db.run(insert, [hostname, domain, now]);
  await db.run(forget, [domain, now.subtract({ hours: WEEK_HOURS })]);
}

/** Below a public suffix that somebody runs privately, authorities count each name by itself. */
function registeredDomain(hostname: string): string {
  return registrableName(hostname, { allowPrivate: true }) ?? hostname;
}
