import { wireTime } from '../../../base/time.ts';
import type { ErrorCode } from '../../../errors.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import type { Domain } from '../domain.ts';

/** Tells a customer that a paid renewal came to nothing, and why; once of each end. */
export function notifyNotRenewed(uow: UnitOfWork, domain: Domain, reason: ErrorCode): void {
  const { id, account_id: accountId, name, expire_at } = domain;
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.renewal_failed',
    resource: { type: 'domain', id },
    body: { expire_at, reason },
  });
  queueMail(uow, {
    cause: `domain.renewal-failed:${id}:${wireTime(expire_at)}`,
    to: { accountId },
    template: 'domain.renewal-failed',
    variables: { domain: name, expire_at: wireTime(expire_at) },
  });
}
