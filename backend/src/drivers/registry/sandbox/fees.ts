import type { Fee, FeeSchedule } from './commands.ts';
import type { SandboxName } from './policy.ts';
import { type Failure, failure } from './reply.ts';
import { availabilityOf, premiumClass } from './rules.ts';

/** Ten-thousandths: 8.00 a year, 40.00 for a restore. */
const STANDARD = { create: 80_000n, renew: 80_000n, transfer: 80_000n, restore: 400_000n };

/** What the registry asks for a name; the same for every registrar. */
export function feesOf({ label, policy }: SandboxName, currency: string): FeeSchedule {
  const { premium } = availabilityOf(label);
  const fees =
    premium === null
      ? { ...STANDARD, transfer: policy.transferYears === 0 ? 0n : STANDARD.transfer }
      : {
          create: premium.register,
          renew: premium.renew,
          transfer: premium.transfer,
          restore: premium.restore,
        };
  return {
    class: premiumClass(label) ?? 'standard',
    currency,
    ...fees,
    transfer: policy.transfer === 'none' ? null : fees.transfer,
  };
}

/**
 * RFC 8748 §3.8: a registrar that names a price gets that price or none, and of a premium name's price they must be
 * aware. null: agreed.
 */
export function feeObjection(asked: Fee, { class: of }: FeeSchedule, accepted: Fee | null): Failure | null {
  if (accepted === null)
    return of === 'standard'
      ? null
      : failure(2003, 'fee', `the name is premium (${of}): its fee must be sent`);
  if (accepted.currency !== asked.currency)
    return failure(2004, 'fee', `fees are in ${asked.currency}, not in ${accepted.currency}`);
  return accepted.amount === asked.amount ? null : failure(2004, 'fee', 'the fee is another');
}
