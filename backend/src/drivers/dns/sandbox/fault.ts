import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';

export type DnsCommand =
  | 'ensure_zone'
  | 'ensure_rrsets'
  | 'ensure_dnssec'
  | 'ensure_absent'
  | 'zone'
  | 'publication'
  | 'list';

/** timeout_before, timeout_after: no answer comes, before or after the effect. refuse: the answer is no. */
export type DnsFault = 'timeout_before' | 'timeout_after' | 'refuse';

const plan = statement<object>(
  'sandbox_dns_plan_fault',
  'INSERT INTO sandbox.dns_faults (command, fault, remaining, zone) VALUES ($1, $2, $3, $4)',
);

const take = statement<{ fault: DnsFault }>(
  'sandbox_dns_take_fault',
  `UPDATE sandbox.dns_faults SET remaining = remaining - 1
   WHERE id = (SELECT id FROM sandbox.dns_faults
               WHERE command = $1 AND remaining > 0 AND (zone IS NULL OR zone = $2)
               ORDER BY id LIMIT 1 FOR UPDATE)
   RETURNING fault`,
);

/** Makes the next calls go wrong, in whatever process they are made; without a zone, with any. */
export async function planDnsFault(
  db: Executor,
  fault: { command: DnsCommand; fault: DnsFault; times?: number; zone?: string },
): Promise<void> {
  await db.run(plan, [fault.command, fault.fault, fault.times ?? 1, fault.zone ?? null]);
}

/** The fault that this call is to meet, counted off; null: none. */
export async function takeDnsFault(
  db: Executor,
  command: DnsCommand,
  zone: string | null,
): Promise<DnsFault | null> {
  const [row] = await db.run(take, [command, zone]);
  return row?.fault ?? null;
}
