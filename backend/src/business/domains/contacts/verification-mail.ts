import type { Sealer } from '../../../base/seal.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Locale } from '../../../operation.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { issueLink } from '../../core/people/mailed-link.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { isProven } from './verification.ts';

/** What links in mails are made with. */
export interface Mailing {
  readonly uow: UnitOfWork;
  readonly publicUrl: string;
  readonly sealer: Sealer;
  readonly locale: Locale;
}

const owner = statement<{ id: string }>(
  'load_owner_id',
  "SELECT id FROM users WHERE account_id = $1 AND role = 'owner'",
);

/** Mails a contact the link that proves their address, unless it was proved before. Whether it was mailed. */
export async function mailVerification(
  tx: Transaction,
  { uow, publicUrl, sealer, locale }: Mailing,
  to: { readonly accountId: string; readonly email: string; readonly domain: string },
): Promise<boolean> {
  const { accountId, email, domain } = to;
  if (await isProven(tx, accountId, email)) return false;
  const [user] = await tx.run(owner, [accountId]);
  if (user === undefined) throw new Error(`account ${accountId} has no owner`);
  const draft = { user_id: user.id, account_id: accountId, email, role: null };
  const context = { publicUrl, now: uow.now };
  const { id, link } = await issueLink(tx, 'contact_verification', draft, context);
  queueMail(uow, {
    cause: `contact-verification:${id}`,
    to: { address: email, locale, accountId },
    template: 'domain.contact-verification',
    variables: { domain },
    secrets: { link },
    sealer,
  });
  return true;
}
