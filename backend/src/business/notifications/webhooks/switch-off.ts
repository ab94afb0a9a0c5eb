import { type Instant, wireTime } from '../../../base/time.ts';
import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { emit, inUnitOfWork, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../mail/outbox.ts';
import type { ClaimedWebhook } from './claim.ts';

const disable = statement<{ id: string }>(
  'disable_webhook',
  `UPDATE webhooks SET active = false, disabled_at = $3, failing_since = $4, taken_until = NULL, turns = turns + 1
   WHERE id = $1 AND turns = $2 AND active RETURNING id`,
);

/** Switches off a webhook whose receiver has accepted nothing for days, and tells the account's owner. */
export async function switchOff(
  pool: Pool,
  taken: ClaimedWebhook,
  { failingSince, error }: { readonly failingSince: Instant; readonly error: string },
  now: Instant,
): Promise<void> {
  await inUnitOfWork(pool, now, [taken.account_id], async (tx, uow) => {
    const [off] = await tx.run(disable, [taken.id, taken.turns, now, failingSince]);
    if (off === undefined) return;
    const since = wireTime(failingSince);
    emit(uow, lockedAccount(uow, taken.account_id), {
      type: 'account.webhook_disabled',
      resource: null,
      body: { webhook_uuid: taken.id, failing_since: failingSince },
    });
    queueMail(uow, {
      cause: `webhook-disabled:${taken.id}:${since}`,
      to: { accountId: taken.account_id },
      template: 'account.webhook-disabled',
      // The host alone: some keep a password in the rest.
      variables: { host: new URL(taken.url).host, since, error },
    });
  });
}
