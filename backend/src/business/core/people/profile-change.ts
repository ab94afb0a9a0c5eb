import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';

/** How people are called and told things. */
export interface PersonProfile {
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
  readonly timezone: string;
}

const lock = statement<PersonProfile>(
  'lock_person_profile',
  'SELECT first_name, last_name, locale, timezone FROM users WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE',
);
const update = statement<object>(
  'update_person_profile',
  'UPDATE users SET first_name = $2, last_name = $3, locale = $4, timezone = $5 WHERE id = $1',
);

/** Changes what is given of a person's own profile; the account must be locked. Answers what it is now. */
export async function changeProfile(
  tx: Transaction,
  uow: UnitOfWork,
  who: { readonly accountId: string; readonly userId: string },
  given: { readonly [Name in keyof PersonProfile]?: string | undefined },
): Promise<PersonProfile> {
  const [before] = await tx.run(lock, [who.userId, who.accountId]);
  if (before === undefined) throw new Error(`person ${who.userId} does not exist`);
  const after: PersonProfile = {
    first_name: given.first_name ?? before.first_name,
    last_name: given.last_name ?? before.last_name,
    locale: given.locale ?? before.locale,
    timezone: given.timezone ?? before.timezone,
  };
  const names = ['first_name', 'last_name', 'locale', 'timezone'] as const;
  const changed = names.filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return after;
  await tx.run(update, [who.userId, after.first_name, after.last_name, after.locale, after.timezone]);
  emit(uow, lockedAccount(uow, who.accountId), {
    type: 'account.profile_changed',
    resource: null,
    body: { user_uuid: who.userId, changed },
  });
  return after;
}
