import type { EventOf, EventType } from '../../../unit-of-work/event.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { queueMail } from '../../notifications/mail/outbox.ts';
import type { MailSecrets, MailTemplate, MailVariables } from '../../notifications/mail/template.ts';
import type { LockedPerson } from './person.ts';

/** A change of how somebody gets in, as a request asks for it. */
export interface SecurityChange {
  /** Has the person's account locked, if they belong to one. */
  readonly uow: UnitOfWork;
  readonly requestId: string;
  /** Where it came from, for the mail about it. */
  readonly ip: string;
  /** Whose session stays; null: nobody is logged in. */
  readonly caller: { readonly tokenId: string } | null;
}

type NoticeTemplate = Exclude<MailTemplate, keyof MailSecrets>;

/** Tells the account's log, and the person by mail: who did not do it themselves learns of it. */
export function tell<T extends NoticeTemplate>(
  { uow, requestId }: SecurityChange,
  person: LockedPerson,
  about: {
    readonly event: EventOf<EventType>;
    readonly mail: { readonly template: T; readonly variables: MailVariables[T] };
  },
): void {
  if (person.account_id !== null) {
    emit(uow, lockedAccount(uow, person.account_id), { ...about.event, resource: null });
  }
  const { template, variables } = about.mail;
  queueMail<NoticeTemplate>(uow, {
    cause: `${template}:${requestId}`,
    to: { userId: person.id, accountId: person.account_id },
    template,
    variables,
  });
}
