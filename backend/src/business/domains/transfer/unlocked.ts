import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import type { Domain } from '../domain.ts';

/** Tells the owner of the account that a domain may be transferred away from now on (rule F2). */
export function notifyUnlocked(uow: UnitOfWork, { id, account_id, name, version }: Domain, ip: string): void {
  queueMail(uow, {
    cause: `domain.unlocked:${id}:${version}`,
    to: { accountId: account_id },
    template: 'domain.unlocked',
    variables: { domain: name, ip },
  });
}
