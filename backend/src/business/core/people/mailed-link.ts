import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Caller } from '../../../operation.ts';
import { lockInto, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

export type LinkPurpose =
  | 'email_verification'
  | 'password_reset'
  | 'invitation'
  | 'contact_verification'
  | 'owner_change';
export type InvitedRole = Exclude<Caller['role'], 'owner' | 'staff'>;

const PAGES: Readonly<Record<LinkPurpose, string>> = {
  email_verification: 'verify-email',
  password_reset: 'reset-password',
  invitation: 'accept-invitation',
  contact_verification: 'verify-contact',
  owner_change: 'confirm-owner-change',
};
const LIFETIME: Readonly<Record<LinkPurpose, Temporal.DurationLike>> = {
  email_verification: { hours: 3 * 24 },
  password_reset: { hours: 1 },
  invitation: { hours: 7 * 24 },
  // As long as the address may stay unproved (rule F10), and a month more to get its domains back.
  contact_verification: { hours: 45 * 24 },
  owner_change: { hours: 7 * 24 },
};

/** A link of which only the hash of its secret is kept; the secret is in the mail alone. */
export interface MailedLink {
  readonly id: string;
  /** Whom it is for; of an invitation, who sent it. */
  readonly user_id: string;
  readonly account_id: string | null;
  /** The address that it proves. */
  readonly email: string;
  /** Of an invitation. */
  readonly role: InvitedRole | null;
}

export interface FreshLink {
  readonly id: string;
  readonly expiresAt: Instant;
  readonly link: string;
}

const insert = statement<object>(
  'insert_mailed_link',
  `INSERT INTO mailed_links (id, purpose, hash, user_id, account_id, email, role, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Makes a link; its mail is up to the caller. */
export async function issueLink(
  tx: Transaction,
  purpose: LinkPurpose,
  draft: Omit<MailedLink, 'id'>,
  context: { readonly publicUrl: string; readonly now: Instant },
): Promise<FreshLink> {
  const { secret, hash, expiresAt } = newLink(purpose, context.now);
  const id = randomUUIDv7();
  await tx.run(insert, [
    id,
    purpose,
    hash,
    draft.user_id,
    draft.account_id,
    draft.email,
    draft.role,
    context.now,
    expiresAt,
  ]);
  return { id, expiresAt, link: linkTo(purpose, secret, context.publicUrl) };
}

export function newLink(
  purpose: LinkPurpose,
  now: Instant,
): { readonly secret: string; readonly hash: Buffer; readonly expiresAt: Instant } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: sha256(secret), expiresAt: now.add(LIFETIME[purpose]) };
}

/** The secret is the fragment: browsers send it to no server, in no Referer, and so it is in no log. */
export function linkTo(purpose: LinkPurpose, secret: string, publicUrl: string): string {
  return `${publicUrl}/${PAGES[purpose]}#${secret}`;
}

const GOOD = 'hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3';
const COLUMNS = 'id, user_id, account_id, email, role';
const find = statement<MailedLink>('find_mailed_link', `SELECT ${COLUMNS} FROM mailed_links WHERE ${GOOD}`);
const use = statement<MailedLink>(
  'use_mailed_link',
  `UPDATE mailed_links SET used_at = $3 WHERE ${GOOD} RETURNING ${COLUMNS}`,
);

/** The link of a secret while it is good, without using it; null: wrong, over or used. */
export async function findLink(
  db: Executor,
  purpose: LinkPurpose,
  secret: string,
  now: Instant,
): Promise<MailedLink | null> {
  const [link] = await db.run(find, [sha256(secret), purpose, now]);
  return link ?? null;
}

/** Locks the link's account and uses the link up: of several at one time, one gets it. null: it is not good. */
export async function useLink(
  tx: Transaction,
  uow: UnitOfWork,
  purpose: LinkPurpose,
  secret: string,
): Promise<MailedLink | null> {
  const found = await findLink(tx, purpose, secret, uow.now);
  if (found === null) return null;
  if (found.account_id !== null) await lockInto(tx, uow, found.account_id);
  // A new statement: it sees what another did while the lock was waited for.
  const [link] = await tx.run(use, [sha256(secret), purpose, uow.now]);
  return link ?? null;
}

const drop = statement<object>(
  'drop_mailed_links',
  'DELETE FROM mailed_links WHERE user_id = $1 AND purpose = ANY($2::text[]) AND used_at IS NULL',
);

/** Ends the open links of these purposes: those to a person, or the invitations that they sent. */
export async function dropLinks(
  tx: Transaction,
  userId: string,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await tx.run(drop, [userId, purposes]);
}
