import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { endApiTokens, endSessions } from '../access/token.ts';
import { dropWantedAddress } from './email-address.ts';
import { dropLinks } from './mailed-link.ts';
import type { LockedPerson } from './person.ts';
import { type SecurityChange, tell } from './security-change.ts';

const set = statement<object>('set_password', 'UPDATE users SET password_hash = $2 WHERE id = $1');

/**
 * Sets a password. The person's other sessions, open reset links and a waiting change of address end, and their API
 * tokens if they want that.
 */
export async function changePassword(
  tx: Transaction,
  person: LockedPerson,
  { passwordHash, andApiTokens }: { readonly passwordHash: string; readonly andApiTokens: boolean },
  change: SecurityChange,
): Promise<void> {
  const { now } = change.uow;
  await tx.run(set, [person.id, passwordHash]);
  await dropLinks(tx, person.id, ['password_reset']);
  await dropWantedAddress(tx, person);
  if (andApiTokens) await endApiTokens(tx, person.id, now);
  await endSessions(tx, person.id, { except: change.caller?.tokenId ?? null }, now);
  tell(change, person, {
    event: { type: 'account.password_changed', body: { user_uuid: person.id } },
    mail: { template: 'account.password-changed', variables: { ip: change.ip } },
  });
}
