import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { emit, lockedAccount, type UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { isGeneric, type Tld } from '../../core/catalog/schema/tld.ts';
import type { Domain } from '../domain.ts';
import { type Contact, contactsById } from './contact.ts';

/** ICANN's RDDS Accuracy Program Specification (§4) gives an owner so long to prove their e-mail address. */
const DEADLINE_DAYS = 15;

// A person proves an address once, whichever of their contacts have it; who looks after the account is such a person.
const proven = statement<{ proven: boolean }>(
  'is_contact_address_proven',
  `SELECT EXISTS (SELECT FROM contacts WHERE account_id = $1 AND lower(email) = lower($2) AND verification = 'verified')
     OR EXISTS (SELECT FROM users WHERE account_id = $1 AND lower(email) = lower($2) AND email_verified_at IS NOT NULL
       AND removed_at IS NULL) AS proven`,
);
const setVerification = statement<object>(
  'set_contact_verification',
  `UPDATE contacts SET verification = $2, verification_deadline = $3, version = version + 1, updated_at = $4
   WHERE id = $1`,
);

/** Whether the address was proved for this account already. */
export async function isProven(tx: Transaction, accountId: string, email: string): Promise<boolean> {
  const [found] = await tx.run(proven, [accountId, email]);
  return found?.proven === true;
}

/**
 * The owner of a domain has to prove their e-mail address, where ICANN's rules hold: from now on their time runs (rule
 * F10). Who is to prove it already keeps the time that they were given.
 */
export async function beginVerification(
  tx: Transaction,
  uow: UnitOfWork,
  tld: Tld | undefined,
  domain: Domain,
): Promise<void> {
  const owner = (await contactsById(tx, [domain.owner_id])).get(domain.owner_id ?? '');
  if (owner === undefined || tld === undefined || !isGeneric(tld)) return;
  if (owner.verification === 'verified' || owner.verification === 'pending') return;
  if (await isProven(tx, domain.account_id, owner.email)) {
    await tx.run(setVerification, [owner.id, 'verified', null, uow.now]);
    return;
  }
  const deadline = uow.now.add({ hours: DEADLINE_DAYS * 24 });
  await tx.run(setVerification, [owner.id, 'pending', deadline, uow.now]);
  emit(uow, lockedAccount(uow, domain.account_id), {
    type: 'domain.contact_verification_required',
    resource: { type: 'domain', id: domain.id },
    body: { domain: domain.name, contact_uuid: owner.id, deadline },
  });
}

/** Whether something is left to prove. */
export function isToProve({ verification }: Contact): boolean {
  return verification !== 'verified';
}
