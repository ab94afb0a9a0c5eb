import { randomUUIDv7 } from 'node:crypto';
import type { Sealer } from '../../../base/seal.ts';
import type { Instant } from '../../../base/time.ts';
import type { Bulk } from '../../../db/changes.ts';
import type { Locale } from '../../../operation.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import type { MailSecrets, MailTemplate, MailVariables } from './template.ts';
import type { MailThread } from './thread.ts';

/** What the links of mails are sealed for. */
export const MAIL_SECRETS = 'mail';
/** The job that sends what waits. */
export const DELIVER = 'mail.deliver';

export type MailRecipient =
  /** The account's owner, as they are when it is sent. */
  | { readonly accountId: string }
  | { readonly userId: string; readonly accountId: string | null }
  /** An address that nobody has proved yet. */
  | { readonly address: string; readonly locale: Locale; readonly accountId: string | null };

export type MailDraft<T extends MailTemplate> = {
  /** What it is sent for, such as `invoice:<uuid>`: a second mail for the same cause is never sent. */
  readonly cause: string;
  readonly to: MailRecipient;
  readonly template: T;
  readonly variables: MailVariables[T];
  /** What it belongs to, and who may answer it; without: nothing, nobody. */
  readonly thread?: MailThread;
} & (T extends keyof MailSecrets
  ? { readonly secrets: MailSecrets[T]; readonly sealer: Sealer }
  : { readonly secrets?: undefined; readonly sealer?: undefined });

/** Queues a mail with what it tells of, in one transaction: it is sent if and only if that happened. */
export function queueMail<T extends MailTemplate>(uow: UnitOfWork, draft: MailDraft<T>): void {
  const { cause, to, template, variables } = draft;
  uow.changes.add(mailInsert, {
    id: randomUUIDv7(),
    cause,
    account_id: to.accountId,
    user_id: 'userId' in to ? to.userId : null,
    recipient: 'address' in to ? to.address : null,
    locale: 'address' in to ? to.locale : null,
    template,
    variables: JSON.stringify(variables),
    secrets_sealed:
      draft.sealer === undefined ? null : draft.sealer.seal(MAIL_SECRETS, JSON.stringify(draft.secrets)),
    thread: draft.thread === undefined ? null : JSON.stringify(draft.thread),
    created_at: uow.now,
  });
  deliverSoon(uow);
}

/** Has what waits sent after the commit. */
export function deliverSoon(uow: UnitOfWork): void {
  if (!uow.jobs.some((job) => job.key === DELIVER)) {
    uow.jobs.push({ name: DELIVER, payload: {}, key: DELIVER });
  }
}

const mailInsert: Bulk<{
  id: string;
  cause: string;
  account_id: string | null;
  user_id: string | null;
  recipient: string | null;
  locale: string | null;
  template: string;
  variables: string;
  secrets_sealed: Buffer | null;
  thread: string | null;
  created_at: Instant;
}> = {
  name: '+mails',
  columns: {
    id: 'uuid',
    cause: 'text',
    account_id: 'uuid',
    user_id: 'uuid',
    recipient: 'text',
    locale: 'text',
    template: 'text',
    variables: 'jsonb',
    secrets_sealed: 'bytea',
    thread: 'jsonb',
    created_at: 'timestamptz',
  },
  sql: (rows) =>
    `INSERT INTO mails (id, cause, account_id, user_id, recipient, locale, template, variables, secrets_sealed,
       thread, state, due_at, created_at)
     SELECT id, cause, account_id, user_id, recipient, locale, template, variables, secrets_sealed, thread, 'queued',
       created_at, created_at FROM ${rows} n ON CONFLICT (cause) DO NOTHING`,
  key: (row) => row.cause,
};
