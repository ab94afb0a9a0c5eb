import { type Instant, isBefore } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import type { Domain } from '../domain.ts';
import { pendingTransfer } from './transfer.ts';

/** Why a domain cannot be transferred away now. What its customer owes for later is none (rule F2). */
export type TransferBlock =
  /** Its customer's own; they can take it off. */
  | 'transfer_lock'
  /** For some days after a registration, a transfer or a change of owner. */
  | 'recent_change'
  | 'registry_lock'
  | 'legal'
  /** Somebody asks for it already. */
  | 'pending_transfer';

/** Those that no customer can do anything about. */
export const LASTING: ReadonlySet<TransferBlock> = new Set<TransferBlock>([
  'recent_change',
  'registry_lock',
  'legal',
]);

export async function transferBlocks(
  db: Executor,
  domain: Domain,
  transferLock: boolean,
  now: Instant,
): Promise<readonly TransferBlock[]> {
  const { transfer_lock_until: until, seen_at: seen, statuses, suspensions } = domain;
  const blocks: TransferBlock[] = [];
  if (transferLock) blocks.push('transfer_lock');
  if (until !== null && isBefore(now, until)) blocks.push('recent_change');
  // What was seen before the days were over may be nothing but them.
  const isOther = until === null || (seen !== null && isBefore(until, seen));
  if (isOther && statuses.includes('serverTransferProhibited')) blocks.push('registry_lock');
  if (suspensions.includes('legal')) blocks.push('legal');
  if ((await pendingTransfer(db, domain.id)) !== null) blocks.push('pending_transfer');
  return blocks;
}
