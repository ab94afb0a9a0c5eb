import { type Instant, wireTime } from '../../../base/time.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import type { Domain } from '../domain.ts';

/** Tells the customer of a domain that somebody asks for it, and what happens if they say nothing. */
export function notifyTransferRequested(
  uow: UnitOfWork,
  { id: domainId, account_id: accountId, name }: Domain,
  request: { readonly id: string; readonly actAt: Instant; readonly silence: 'approves' | 'rejects' },
): void {
  const { id, actAt, silence } = request;
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.transfer_out_requested',
    resource: { type: 'domain', id: domainId },
    body: { domain: name, transfer_uuid: id, answer_until: actAt, silence },
  });
  queueMail(uow, {
    cause: `domain.transfer-requested:${id}`,
    to: { accountId },
    template: 'domain.transfer-requested',
    variables: { domain: name, answer_until: wireTime(actAt), silence },
  });
}
