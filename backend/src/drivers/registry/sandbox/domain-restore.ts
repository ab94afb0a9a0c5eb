import { isBefore } from '../../../base/time.ts';
import type { Books } from './books.ts';
import type { Fee, RestoreReport } from './commands.ts';
import { feeObjection } from './fees.ts';
import { redemptionEnd, years } from './life.ts';
import { failure, type Reply, success } from './reply.ts';
import { charged, type Held } from './transition.ts';

export function requestRestore(
  books: Books,
  registrar: string,
  name: string,
  accepted: Fee | null,
): Promise<Reply<{ fee: Fee }>> {
  return books.withDomain<{ fee: Fee }>(name, async ({ tx, held, of: { policy }, fees, now }) => {
    const { domain } = held;
    if (domain.sponsor !== registrar) return failure(2201, 'registrar', 'it is not yours');
    if (domain.deletedAt === null || domain.restoreRequestedAt !== null)
      return failure(2304, 'status', 'it is not in its redemption period');
    if (!isBefore(now, redemptionEnd(domain.deletedAt, policy)))
      return failure(2304, 'status', 'its redemption period is over');
    const fee = { amount: fees.restore, currency: books.currency };
    const objection = feeObjection(fee, fees, accepted) ?? (await books.credit(tx, registrar, fee.amount));
    if (objection !== null) return objection;
    const asked: Held = {
      ...held,
      domain: { ...domain, restoreRequestedAt: now, updatedBy: registrar, updatedAt: now },
    };
    const charge = { registrar, kind: 'restore', amount: fee.amount, years: 0, at: now } as const;
    return { answer: success({ fee }), holding: charged(asked, charge, null) };
  });
}

export function reportRestore(books: Books, registrar: string, report: RestoreReport): Promise<Reply<null>> {
  return books.withDomain<null>(report.name, ({ held, of: { policy }, fees, now }) => {
    const { domain } = held;
    if (domain.sponsor !== registrar) return failure(2201, 'registrar', 'it is not yours');
    if (domain.restoreRequestedAt === null) return failure(2304, 'status', 'no restore waits for a report');
    let restored: Held = {
      ...held,
      domain: { ...domain, deletedAt: null, restoreRequestedAt: null, updatedBy: registrar, updatedAt: now },
    };
    // Where registrations expire, one whose term is over would be deleted again at once: a year comes with it. Where
    // the registry renews, it does so for the missed term by itself.
    while (
      policy.atExpiry === 'expire' &&
      restored.domain.expireAt !== null &&
      !isBefore(now, restored.domain.expireAt)
    ) {
      const extended = { ...restored.domain, expireAt: years(restored.domain.expireAt, 1) };
      const charge = { registrar, kind: 'renew', amount: fees.renew, years: 1, at: now } as const;
      restored = charged({ ...restored, domain: extended }, charge, null);
    }
    return { answer: success(null), holding: restored };
  });
}
