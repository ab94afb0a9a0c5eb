import { type Instant, wireTime } from '../../base/time.ts';
import { bulkUpdate } from '../../db/changes.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../notifications/mail/outbox.ts';
import { allProducts } from '../selling/subscriptions/product.ts';
import { type Domain, endDomain } from './domain.ts';

/** The registry has it no more: its service is deleted, and its customer told. */
export function domainGone(uow: UnitOfWork, domain: Domain): void {
  const { id, account_id: accountId, name, expire_at } = domain;
  endDomain(uow, id, 'deleted');
  uow.changes.add(serviceGone, { id, ended_at: uow.now });
  for (const product of allProducts()) product.domainLeft?.(uow, id);
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.deleted',
    resource: { type: 'domain', id },
    body: {},
  });
  queueMail(uow, {
    cause: `domain.deleted:${id}`,
    to: { accountId },
    template: 'service.deleted',
    variables: {
      services: [{ name, product: 'domain', expire_at: wireTime(expire_at), renewal: null }],
    },
  });
}

/** Another registrar has it now, or another customer of ours. */
export function domainTransferredOut(uow: UnitOfWork, domain: Domain, transferId: string | null): void {
  const { id, account_id: accountId, name } = domain;
  endDomain(uow, id, 'transferred_out');
  uow.changes.add(serviceGone, { id, ended_at: uow.now });
  for (const product of allProducts()) product.domainLeft?.(uow, id);
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.transfer_out_completed',
    resource: { type: 'domain', id },
    body: { domain: name },
  });
  queueMail(uow, {
    cause: `domain.transferred-out:${transferId ?? id}`,
    to: { accountId },
    template: 'domain.transferred-out',
    variables: { domain: name },
  });
}

/** Deleted at its registry, which keeps it until then for whoever had it. */
export function domainInRedemption(uow: UnitOfWork, domain: Domain, until: Instant): void {
  const { id, account_id: accountId, name } = domain;
  uow.changes.add(serviceInRedemption, { id, delete_at: until });
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.redemption',
    resource: { type: 'domain', id },
    body: { domain: name, restorable_until: until },
  });
  queueMail(uow, {
    cause: `domain.redemption:${id}:${wireTime(until)}`,
    to: { accountId },
    template: 'domain.redemption',
    variables: { domain: name, restorable_until: wireTime(until) },
  });
}

/** What is kept at its registry is looked at again then. */
export const serviceLooked = bulkUpdate<{ id: string; due_at: Instant }>(
  'services',
  'looked',
  { id: 'uuid', due_at: 'timestamptz' },
  'due_at = n.due_at',
);

const serviceGone = bulkUpdate<{ id: string; ended_at: Instant }>(
  'services',
  'gone',
  { id: 'uuid', ended_at: 'timestamptz' },
  `state = 'deleted', ended_at = coalesce(services.ended_at, n.ended_at), due_at = NULL,
   version = services.version + 1`,
);

// Whatever it was off for, only a restoration brings it back.
const serviceInRedemption = bulkUpdate<{ id: string; delete_at: Instant }>(
  'services',
  'redemption',
  { id: 'uuid', delete_at: 'timestamptz' },
  `state = CASE WHEN services.state = 'cancelled' THEN 'cancelled' ELSE 'expired' END,
   delete_at = n.delete_at, due_at = n.delete_at, version = services.version + 1`,
);
