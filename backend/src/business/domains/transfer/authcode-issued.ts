import { randomInt } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import { type Instant, isBefore, wireTime } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { cancelTask, type TaskRef } from '../../core/tasks/task.ts';
import { type MailRecipient, queueMail } from '../../notifications/mail/outbox.ts';
import { contactsById } from '../contacts/contact.ts';
import { ownerEmail } from '../contacts/owner-email.ts';
import type { Domain } from '../domain.ts';
import { AUTHCODE, enqueueFor } from '../domain-jobs.ts';
import { DOMAIN_AUTHCODE } from './authcode.ts';

/** A code that lets a domain be transferred away, and until when. */
export interface IssuedAuthcode {
  readonly authcode: string;
  readonly expiresAt: Instant;
}

/** The code that was given out and holds still, or null. */
export function openAuthcode(domain: Domain, sealer: Sealer, now: Instant): IssuedAuthcode | null {
  const { authcode_sealed: sealed, authcode_expires_at: expiresAt } = domain;
  if (sealed === null || expiresAt === null || !isBefore(now, expiresAt)) return null;
  return { authcode: sealer.openText(DOMAIN_AUTHCODE, sealed), expiresAt };
}

const setCode = statement<object>(
  'set_domain_authcode',
  'UPDATE domains SET authcode_sealed = $2, authcode_expires_at = $3 WHERE id = $1',
);

const openTasks = statement<{ id: string }>(
  'open_authcode_tasks',
  `SELECT id FROM tasks WHERE resource_id = $1 AND type = '${AUTHCODE}' AND finished_at IS NULL ORDER BY id`,
);

/** The tasks of codes of a domain that its registry is yet to be told. */
export async function openAuthcodeTasks(db: Executor, domainId: string): Promise<readonly string[]> {
  return (await db.run(openTasks, [domainId])).map(({ id }) => id);
}

/** What names such a task. */
export function authcodeTask({ id, account_id: accountId }: Domain, taskId: string): TaskRef {
  return { id: taskId, accountId, type: AUTHCODE, resource: { type: 'domain', id } };
}

/**
 * Makes a new code for a locked domain; a job has yet to tell its registry. Whatever code was to be told before is good
 * for nothing from now on, so nobody waits for that.
 */
export async function issueAuthcode(
  tx: Transaction,
  uow: UnitOfWork,
  sealer: Sealer,
  domain: Domain,
  days: number,
): Promise<IssuedAuthcode> {
  const domainId = domain.id;
  const authcode = newAuthcode();
  const expiresAt = uow.now.add({ hours: days * 24 });
  for (const taskId of await openAuthcodeTasks(tx, domainId)) cancelTask(uow, authcodeTask(domain, taskId));
  await tx.run(setCode, [domainId, sealer.seal(DOMAIN_AUTHCODE, authcode), expiresAt]);
  return { authcode, expiresAt };
}

const endCode = statement<object>(
  'end_domain_authcode',
  'UPDATE domains SET authcode_expires_at = $2 WHERE id = $1 AND authcode_sealed IS NOT NULL',
);

/** Ends a code before its time: nobody is shown it any more, and its registry is told to forget it. */
export async function endAuthcode(tx: Transaction, uow: UnitOfWork, domainId: string): Promise<void> {
  await tx.run(endCode, [domainId, uow.now]);
  enqueueFor(uow, AUTHCODE, domainId);
}

// RFC 9154 §4.1 wants 128 bits; registries want capital and small letters, digits and a special character, at most 32
// in all, and people mix up some of them.
const CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '-.!$+'];
const LENGTH = 24;

/** A code that every registry takes; about 140 bits. */
export function newAuthcode(): string {
  const all = CLASSES.join('');
  for (;;) {
    const code = Array.from({ length: LENGTH }, () => all[randomInt(all.length)]).join('');
    if (CLASSES.every((characters) => [...characters].some((one) => code.includes(one)))) return code;
  }
}

/** Tells the account's owner, and the domain's, that the code was given out (rule F2). */
export async function notifyAuthcodeIssued(
  tx: Transaction,
  uow: UnitOfWork,
  domain: Domain,
  {
    expiresAt,
    ip,
    requestId,
  }: { readonly expiresAt: Instant; readonly ip: string; readonly requestId: string },
): Promise<void> {
  const { id, account_id: accountId, name } = domain;
  emit(uow, lockedAccount(uow, accountId), {
    type: 'domain.authcode_issued',
    resource: { type: 'domain', id },
    body: { domain: name, expires_at: expiresAt },
  });
  const tell = (to: MailRecipient, whom: string) =>
    queueMail(uow, {
      cause: `domain.authcode-issued:${requestId}:${whom}`,
      to,
      template: 'domain.authcode-issued',
      variables: { domain: name, ip, expires_at: wireTime(expiresAt) },
    });
  tell({ accountId }, 'account');
  const owner = (await contactsById(tx, [domain.owner_id])).get(domain.owner_id ?? '');
  const known = await ownerEmail(tx, accountId);
  if (owner === undefined || owner.email.toLowerCase() === known.toLowerCase()) return;
  tell({ address: owner.email, locale: owner.language.startsWith('de') ? 'de' : 'en', accountId }, 'owner');
}
