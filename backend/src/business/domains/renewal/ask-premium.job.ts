import { isBefore } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import { inUnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { maintenanceJob } from '../../../work/job.ts';
import { DOMAIN_COLUMNS, type Domain, lockDomain, refOf } from '../domain.ts';
import { notifyDearer, premiumAsked } from './premium.ts';
import { isDearer } from './renewal.ts';

/** From so long before the end on, in time for the first notice. */
const AHEAD = { hours: 24 * 40 };
const ASKED_AGAIN = { hours: 24 };
/** What nobody answered is asked again within the hour; meanwhile others have their turn. */
const UNANSWERED = { hours: 23 };
const AT_ONCE = 100;

const ending = statement<Domain>(
  'ending_premium_domains',
  `SELECT ${DOMAIN_COLUMNS} FROM domains v JOIN services s ON s.id = v.id
   WHERE v.premium AND v.state = 'active' AND s.expire_at < $1 AND (v.premium_asked_at IS NULL OR v.premium_asked_at <= $2)
   ORDER BY v.premium_asked_at NULLS FIRST, s.expire_at, s.id LIMIT ${AT_ONCE}`,
);
const unanswered = statement<object>(
  'premium_unanswered',
  'UPDATE domains SET premium_asked_at = $2 WHERE id = ANY($1::uuid[])',
);

/**
 * Asks what the renewal of a premium name costs before its end comes near. One that is dearer than its customer was
 * shown does not renew itself, and they are told in time (rule F5).
 */
export default maintenanceJob({
  name: 'domain.ask_premium',
  schedule: '*/10 * * * *',
  async run(pool, ctx, { registry }) {
    const { now } = ctx;
    const domains = await pool.run(ending, [now.add(AHEAD), now.subtract(ASKED_AGAIN)]);
    if (domains.length === 0) return;
    const answers = await registry.check(domains.map(refOf));
    const asks = domains.map((domain, at) => ({ domain, asked: answers[at]?.premium?.renew }));
    // Nobody guesses: it is asked again, and the renewal itself asks once more.
    const silent = asks.filter(({ asked }) => asked === undefined).map(({ domain: { id } }) => id);
    await pool.run(unanswered, [silent, now.subtract(UNANSWERED)]);
    for (const { domain, asked } of asks) {
      if (asked === undefined) continue;
      await inUnitOfWork(pool, now, [domain.account_id], async (tx, uow) => {
        const locked = await lockDomain(tx, domain.id);
        if (locked === null || isBefore(locked.expire_at, domain.expire_at)) return;
        uow.changes.add(premiumAsked, { id: domain.id, premium_asked: asked, premium_asked_at: now });
        const was = isDearer(locked);
        if (!was && isDearer({ ...locked, premium_asked: asked })) notifyDearer(uow, locked, asked);
      });
    }
  },
});
