import { z } from 'zod';
import { earlier, type Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { SiteRef } from '../../../drivers/webserver/port.ts';
import { commandJob } from '../../../work/job.ts';
import type { ServiceState } from '../../selling/subscriptions/service.ts';
import { wantedOfSite } from '../desired-state.ts';
import { certificateAllowedAt, countCertificate } from './certificate-allowance.ts';
import { CERTIFICATE, waitAfter } from './certificates.ts';

interface DueDomain {
  readonly id: string;
  readonly hostname: string;
  readonly tls_failures: number;
  /** null: it never had one. */
  readonly tls_expire_at: Instant | null;
  readonly webspace_id: string;
  readonly host: string;
  readonly username: string;
  readonly state: ServiceState;
  readonly due: boolean;
}

const load = statement<DueDomain>(
  'load_due_certificate',
  `SELECT d.id, d.hostname, d.tls_failures, d.tls_expire_at, d.webspace_id, w.host, w.username, s.state, d.tls_due_at <= $2 AS due
   FROM webspace_domains d JOIN webspaces w ON w.id = d.webspace_id JOIN services s ON s.id = w.id
   WHERE d.id = $1 AND d.proven_at IS NOT NULL`,
);
const succeed = statement<object>(
  'certificate_active',
  `UPDATE webspace_domains SET tls_state = 'active', tls_expire_at = $2, tls_due_at = $3, tls_failures = 0,
     tls_problem = NULL WHERE id = $1`,
);
// One that is still valid goes on being served while its renewal fails.
const fail = statement<object>(
  'certificate_failed',
  `UPDATE webspace_domains SET tls_state = CASE WHEN tls_expire_at > $4::timestamptz THEN 'active' ELSE 'failed' END,
     tls_due_at = $2, tls_failures = tls_failures + 1, tls_problem = $3 WHERE id = $1`,
);

const postpone = statement<object>(
  'certificate_postponed',
  'UPDATE webspace_domains SET tls_due_at = $2, tls_problem = $3 WHERE id = $1',
);

/** Authorities may call certificates back before their time, and say so to who asks (RFC 9773). */
const ASKED_AGAIN_HOURS = 24;

/** Sees to the certificate of a host name: orders, renews, or tries again later. */
export default commandJob({
  name: CERTIFICATE,
  payload: z.object({ domain_id: z.uuid() }),
  async load(db, ctx, { domain_id }) {
    const [domain] = await db.run(load, [domain_id, ctx.now]);
    if (domain === undefined || !domain.due || wantedOfSite(domain.state) !== 'on') return null;
    const perWeek = ctx.catalogs.current().webHosts.get(domain.host)?.certificates_per_week;
    const allowedAt =
      perWeek === undefined || domain.tls_expire_at !== null
        ? null
        : await certificateAllowedAt(db, domain.hostname, perWeek, ctx.now);
    if (allowedAt !== null) {
      await db.run(postpone, [
        domain.id,
        allowedAt,
        'so many certificates were ordered for this domain this week',
      ]);
      return null;
    }
    const site: SiteRef = { webspaceId: domain.webspace_id, host: domain.host, username: domain.username };
    return { domain, site };
  },
  command: (ports, { domain, site }) => ports.webserver.ensureCertificate(site, domain.hostname),
  accounts: () => [],
  async finish(
    tx,
    { log, now }: { log: { info(data: object, text: string): void }; now: Instant },
    { domain },
    outcome,
  ) {
    if (outcome.kind === 'done') {
      const { expireAt, renewAt } = outcome.result;
      await tx.run(succeed, [domain.id, expireAt, earlier(renewAt, now.add({ hours: ASKED_AGAIN_HOURS }))]);
      if (domain.tls_expire_at === null) await countCertificate(tx, domain.hostname, now);
      return;
    }
    log.info({ hostname: domain.hostname, reason: outcome.reason }, 'no certificate for a host name yet');
    await tx.run(fail, [domain.id, now.add(waitAfter(domain.tls_failures)), outcome.reason, now]);
  },
});
