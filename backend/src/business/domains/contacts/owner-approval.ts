import { sha256 } from '../../../base/canonical.ts';
import { type Instant, wireTime } from '../../../base/time.ts';
import { bulkInsert } from '../../../db/changes.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { lockInto, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { linkTo, newLink } from '../../core/people/mailed-link.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import { changesOf } from '../changes/change.ts';
import { abandon, takeStep } from '../changes/change-progress.ts';
import { type Domain, lockDomain, readDomain } from '../domain.ts';
import type { Mailing } from './verification-mail.ts';
import { addressProven } from './verified.ts';

/** How long owners have to agree. */
export const APPROVAL = { hours: 7 * 24 };

type Side = 'present' | 'new';

/** Who is asked to agree. */
export interface AskedOwner {
  readonly side: Side;
  readonly email: string;
}

/** Asks both owners, or the one address that both have, to agree to a change that waits for them. */
export function askOwners(
  { uow, publicUrl, sealer, locale }: Mailing,
  domain: Domain,
  asked: {
    readonly changeId: string;
    readonly owners: readonly AskedOwner[];
    readonly newOwner: string;
    readonly until: Instant;
  },
): void {
  const { changeId, owners, newOwner, until } = asked;
  for (const { side, email } of owners) {
    const { secret, hash } = newLink('owner_change', uow.now);
    uow.changes.add(approvalInsert, { change_id: changeId, side, email, hash });
    queueMail(uow, {
      cause: `owner-change:${changeId}:${side}`,
      to: { address: email, locale, accountId: domain.account_id },
      template: 'domain.owner-change',
      variables: { domain: domain.name, side, new_owner: newOwner, until: wireTime(until) },
      secrets: { link: linkTo('owner_change', secret, publicUrl) },
      sealer,
    });
  }
}

const approvalInsert = bulkInsert<{ change_id: string; side: Side; email: string; hash: Buffer }>(
  'domain_approvals',
  { change_id: 'uuid', side: 'text', email: 'text', hash: 'bytea' },
);

interface Approval {
  readonly change_id: string;
  readonly domain_id: string;
  readonly side: Side;
  readonly email: string;
}

const find = statement<Approval>(
  'find_domain_approval',
  `SELECT a.change_id, c.domain_id, a.side, a.email
   FROM domain_approvals a JOIN domain_changes c ON c.id = a.change_id WHERE a.hash = $1 AND c.state = 'approval'`,
);
const approve = statement<object>(
  'approve_domain_change',
  'UPDATE domain_approvals SET approved_at = coalesce(approved_at, $3) WHERE change_id = $1 AND side = $2',
);
const missing = statement<{ missing: boolean }>(
  'is_approval_missing',
  'SELECT EXISTS (SELECT FROM domain_approvals WHERE change_id = $1 AND approved_at IS NULL) AS missing',
);

/** What an answer came to; `missing`: the other owner is still to agree. */
export type Answered = { readonly domain: string; readonly outcome: 'begun' | 'missing' | 'rejected' };

/** An owner answers by the link that they were mailed. null: the link is not good, or nobody waits for it any more. */
export async function answerForOwner(
  tx: Transaction,
  uow: UnitOfWork,
  token: string,
  answer: 'approve' | 'reject',
): Promise<Answered | null> {
  const hash = sha256(token);
  const [asked] = await tx.run(find, [hash]);
  const whose = asked === undefined ? null : await readDomain(tx, asked.domain_id);
  if (asked === undefined || whose === null) return null;
  await lockInto(tx, uow, whose.account_id);
  const domain = await lockDomain(tx, asked.domain_id);
  // New statements: they see what another did while the lock was waited for.
  const change = (await changesOf(tx, asked.domain_id)).find(({ id }) => id === asked.change_id);
  if (domain?.registry_state !== 'active' || change?.state !== 'approval') return null;
  if (answer === 'reject') {
    await abandon(tx, uow, domain, change, 'change_rejected');
    return { domain: domain.name, outcome: 'rejected' };
  }
  await tx.run(approve, [change.id, asked.side, uow.now]);
  if (asked.side === 'new') await addressProven(tx, uow, domain.account_id, asked.email);
  const [left] = await tx.run(missing, [change.id]);
  if (left?.missing === true) return { domain: domain.name, outcome: 'missing' };
  await takeStep(tx, uow, domain, change);
  return { domain: domain.name, outcome: 'begun' };
}
