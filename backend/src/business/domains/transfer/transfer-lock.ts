import { type Instant, isBefore } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';
import type { Domain } from '../domain.ts';

const setLock = statement<object>(
  'set_transfer_lock_until',
  'UPDATE domains SET transfer_lock_until = $2 WHERE id = $1',
);

/** Keeps a domain here for as long as its TLD's policy says, after it was registered or transferred (rule F2). */
export async function lockAfter(
  tx: Transaction,
  domainId: string,
  tld: Tld | undefined,
  since: Instant,
): Promise<void> {
  const days = tld?.policy.transfer_lock_days ?? 0;
  if (days > 0) await tx.run(setLock, [domainId, since.add({ hours: days * 24 })]);
}

/** Whether a domain may not be transferred now: its customer does not want it, or its policy. */
export function isTransferLocked(
  { transfer_lock, transfer_lock_until: until }: Pick<Domain, 'transfer_lock' | 'transfer_lock_until'>,
  now: Instant,
): boolean {
  return transfer_lock || (until !== null && isBefore(now, until));
}
