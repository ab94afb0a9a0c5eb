import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { QueuedJob } from '../../../work/queue.ts';

export const CERTIFICATE = 'webspace.certificate';

export function certificateJob(domainId: string): QueuedJob {
  return { name: CERTIFICATE, payload: { domain_id: domainId }, key: `${CERTIFICATE}:${domainId}` };
}

// A certificate is for a site that answers the authority: one that is on.
const ON = `d.tls_due_at <= $1 AND s.state IN ('active', 'cancel_scheduled', 'provisioning')`;

const dueOf = statement<{ id: string }>(
  'due_certificates_of',
  `SELECT d.id FROM webspace_domains d JOIN services s ON s.id = d.webspace_id
   WHERE ${ON} AND d.webspace_id = $2 ORDER BY d.created_at, d.id`,
);
const due = statement<{ id: string }>(
  'due_certificates',
  `SELECT d.id FROM webspace_domains d JOIN services s ON s.id = d.webspace_id
   WHERE ${ON} ORDER BY d.tls_due_at, d.id LIMIT $2`,
);

/** The names of a webspace whose certificates are to be seen to. */
export async function dueCertificatesOf(db: Executor, webspaceId: string, now: Instant): Promise<string[]> {
  return (await db.run(dueOf, [now, webspaceId])).map(({ id }) => id);
}

/** The same for all webspaces, the longest due first. */
export async function dueCertificates(db: Executor, now: Instant, most: number): Promise<string[]> {
  return (await db.run(due, [now, most])).map(({ id }) => id);
}

const FIRST_WAIT_MINUTES = 15;
const MOST_WAIT_MINUTES = 24 * 60;

/**
 * How long to wait after so many failures in a row: a quarter of an hour, doubled each time, at most a day. So an
 * authority sees at most four failures of a name in an hour (rule H4: five).
 */
export function waitAfter(failures: number): { minutes: number } {
  return { minutes: Math.min(MOST_WAIT_MINUTES, FIRST_WAIT_MINUTES * 2 ** Math.min(failures, 10)) };
}
