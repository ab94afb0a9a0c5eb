import { amountOf, printAmount } from '../../../base/money.ts';
import { type Instant, wireTime } from '../../../base/time.ts';
import { type Bulk, bulkUpdate } from '../../../db/changes.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import type { Told } from '../../selling/subscriptions/renewal/lifecycle-change.ts';
import type { Domain } from '../domain.ts';

/** What its registry asks for a further year of a premium name. */
export const premiumAsked = bulkUpdate<{ id: string; premium_asked: bigint; premium_asked_at: Instant }>(
  'domains',
  'premium_asked',
  { id: 'uuid', premium_asked: 'bigint', premium_asked_at: 'timestamptz' },
  'premium_asked = n.premium_asked, premium_asked_at = n.premium_asked_at',
);

const DEARER: Told = 'price-changed';
// Of one end it may become dearer more than once.
const dearerNoted: Bulk<{ service_id: string; expire_at: Instant; kind: string; created_at: Instant }> = {
  name: '~service_notices.dearer',
  columns: { service_id: 'uuid', expire_at: 'timestamptz', kind: 'text', created_at: 'timestamptz' },
  sql: (rows) => `INSERT INTO service_notices (service_id, expire_at, kind, created_at)
    SELECT service_id, expire_at, kind, created_at FROM ${rows} n ON CONFLICT DO NOTHING`,
  key: null,
};

/** Tells a customer that their premium name became dearer than they were shown, and is not renewed unless they do it. */
export function notifyDearer(uow: UnitOfWork, domain: Domain, asked: bigint): void {
  const { id, account_id: accountId, name, expire_at, premium_renewal: shown } = domain;
  const account = lockedAccount(uow, accountId);
  uow.changes.add(dearerNoted, { service_id: id, expire_at, kind: DEARER, created_at: uow.now });
  emit(uow, account, {
    type: 'domain.price_changed',
    resource: { type: 'domain', id },
    body: {
      expire_at,
      renewal_minor: Number(amountOf(asked)),
      shown_minor: Number(amountOf(shown ?? 0n)),
      currency: account.currency,
    },
  });
  queueMail(uow, {
    cause: `domain.price-changed:${id}:${wireTime(expire_at)}:${asked}`,
    to: { accountId },
    template: 'domain.price-changed',
    variables: {
      domain: name,
      expire_at: wireTime(expire_at),
      renewal: printAmount(amountOf(asked), account.currency),
    },
  });
}
