import { Semaphore } from '../../../base/semaphore.ts';
import type { Pool } from '../../../db/pool.ts';
import { transaction } from '../../../db/transaction.ts';
import type { Mailer } from '../../../drivers/mail/port.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { enqueue } from '../../../work/queue.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { attempt } from './attempt.ts';
import { DELIVER } from './outbox.ts';
import { type OutgoingMail, recordOutcome, takeMails } from './outgoing.ts';
import type { MethodTitles } from './printing.ts';
import { senderOf } from './sender.ts';

const BATCH = 25;
const AT_ONCE = 5;
/** Longer than a batch can take when every mail of it takes all its time. */
const LEASE_MINUTES = 15;

/** What is under way in this process, by database; `again` when more was queued meanwhile. */
const underWay = new Map<Pool, { again: boolean }>();

/**
 * Sends what waits in the outbox. A mail is taken, sent with no connection held, and its outcome written at once:
 * whoever dies in between sends it again after the lease, under the same message id. A batch a run: the next one is
 * asked for through the queue. One run at a time in a process, so that a slow mail server does not keep the
 * workers from everything else. Nothing is sent in safe mode: after a restore, old mails would go out again.
 */
export default maintenanceJob({
  name: DELIVER,
  priority: 'delivery',
  schedule: '* * * * *',
  async run(pool, ctx, { mail: mailer, payment }) {
    const running = underWay.get(pool);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const round = { again: false };
    underWay.set(pool, round);
    try {
      if (await isSafeMode(pool)) return;
      const until = ctx.now.add({ minutes: LEASE_MINUTES });
      const taken = await takeMails(pool, ctx.now, until, BATCH);
      round.again ||= taken.length === BATCH;
      if (taken.length > 0) await deliver(pool, ctx, mailer, taken, (method) => payment.title(method));
    } finally {
      underWay.delete(pool);
    }
    if (round.again)
      await transaction(pool, (tx) => enqueue(tx, [{ name: DELIVER, payload: {}, key: DELIVER }]));
  },
});

async function deliver(
  pool: Pool,
  ctx: JobContext,
  mailer: Mailer,
  mails: readonly OutgoingMail[],
  titleOf: MethodTitles,
): Promise<void> {
  const sender = await senderOf(pool, ctx.catalogs);
  const slots = new Semaphore(AT_ONCE, BATCH);
  const one = async (mail: OutgoingMail) => {
    const outcome = await attempt(ctx, mailer, mail, sender, titleOf);
    // One by one, although they are many: what is sent and not written down is sent again.
    await recordOutcome(pool, mail, outcome, ctx.now);
    if (outcome.kind !== 'failed') return;
    const { id, template, attempts } = mail;
    ctx.log.error({ mail: id, template, attempts, reason: outcome.reason }, 'a mail was not delivered');
  };
  await Promise.all(mails.map((mail) => slots.run(() => one(mail))));
}
