import type { Instant } from '../../../base/time.ts';
import type { EppTransferStatus, TransferInfo } from './commands.ts';
import { days, runningGraces, transferredEnd, years } from './life.ts';
import type { RegistryPolicy } from './policy.ts';
import type {
  Charge,
  Grace,
  Holding,
  Message,
  RefundableGrace,
  Registration,
  Transfer,
} from './registration.ts';

/** A holding whose domain is there. */
export interface Held extends Holding {
  readonly domain: Registration;
}

/** One whose domain somebody asks for, or has asked for. */
export interface InTransfer extends Held {
  readonly transfer: Transfer;
}

/** The charge for something that a grace period begins with, and that period, where the TLD has it. */
export function charged(
  held: Held,
  charge: Omit<Charge, 'domain'>,
  grace: { readonly period: RefundableGrace; readonly days: number } | null,
): Held {
  const begun: Grace[] =
    grace === null || grace.days === 0
      ? []
      : [
          {
            period: grace.period,
            until: days(charge.at, grace.days),
            registrar: charge.registrar,
            amount: charge.amount,
            years: charge.years,
          },
        ];
  return {
    ...held,
    domain: { ...held.domain, graces: [...held.domain.graces, ...begun] },
    charges: [...held.charges, { ...charge, domain: held.domain.name }],
  };
}

/** Pays back what still can be, of those periods that `applies` names; they end, and their years are gone. */
export function refunded(held: Held, at: Instant, applies: (grace: Grace) => boolean): Held {
  const back = runningGraces(held.domain, at).filter(applies);
  const charges = back.map(
    ({ registrar, amount }): Charge => ({
      registrar,
      domain: held.domain.name,
      kind: 'refund',
      amount: -amount,
      years: 0,
      at,
    }),
  );
  const graces = held.domain.graces.filter((grace) => !back.includes(grace));
  const term = back.reduce((sum, grace) => sum + grace.years, 0);
  const expireAt = held.domain.expireAt === null ? null : years(held.domain.expireAt, -term);
  return { ...held, domain: { ...held.domain, graces, expireAt }, charges: [...held.charges, ...charges] };
}

export function told(holding: Holding, message: Message): Holding {
  return { ...holding, messages: [...holding.messages, message] };
}

/** Out of the zone: kept for its redemption, or gone where the TLD has none or the add period still ran. */
export function deleted(held: Held, policy: RegistryPolicy, at: Instant): Holding {
  const fresh = runningGraces(held.domain, at).some(({ period }) => period === 'addPeriod');
  const after = refunded(held, at, () => true);
  const transfer = cancelledByServer(after.transfer, at);
  if (fresh || policy.redemptionDays === 0) return { ...after, domain: null, transfer };
  const kept = { deletedAt: at, updatedBy: after.domain.sponsor, updatedAt: at };
  return { ...after, domain: { ...after.domain, ...kept, graces: [] }, transfer };
}

function cancelledByServer(transfer: Transfer | null, at: Instant): Transfer | null {
  return transfer?.status === 'pending' ? { ...transfer, status: 'serverCancelled', actAt: at } : transfer;
}

/** The registry's own renewal at the end of a term, which the sponsor pays unless they delete in time. */
export function autorenewed(held: Held, policy: RegistryPolicy, at: Instant, amount: bigint): Held {
  const { sponsor, expireAt } = held.domain;
  if (expireAt === null) return held;
  const renewed = { ...held, domain: { ...held.domain, expireAt: years(expireAt, 1) } };
  const charge = { registrar: sponsor, kind: 'autorenew', amount, years: 1, at } as const;
  return charged(renewed, charge, { period: 'autoRenewPeriod', days: policy.autoRenewDays });
}

/** The domain goes to who asked for it. */
export function transferred(
  held: InTransfer,
  policy: RegistryPolicy,
  outcome: { readonly status: 'clientApproved' | 'serverApproved'; readonly at: Instant },
): InTransfer {
  const { transfer } = held;
  const { status, at } = outcome;
  // The year that the registry had just renewed by itself goes back: the transfer brings its own.
  const before =
    transfer.years === 0 ? held : refunded(held, at, ({ period }) => period === 'autoRenewPeriod');
  const { expireAt } = before.domain;
  const moved: InTransfer = {
    ...before,
    domain: {
      ...before.domain,
      sponsor: transfer.requestedBy,
      transferredAt: at,
      updatedBy: transfer.requestedBy,
      updatedAt: at,
      expireAt: expireAt === null ? null : transferredEnd(expireAt, transfer.years, at),
      // A code opens the door once, and the loser's wishes are not the gainer's.
      authcode: null,
      authcodeExpireAt: null,
      clientStatuses: [],
      transferLockedUntil: policy.lockDays === 0 ? null : days(at, policy.lockDays),
      graces: [],
    },
    transfer: { ...transfer, status, actAt: at },
  };
  const { requestedBy: registrar, amount, years: term } = transfer;
  const charge = { registrar, kind: 'transfer', amount, years: term, at } as const;
  const paid = charged(moved, charge, { period: 'transferPeriod', days: policy.transferDays });
  return { ...paid, transfer: moved.transfer };
}

/** A pending transfer as it stands, or as it ended. */
export function transferInfo(domain: Registration, transfer: Transfer): TransferInfo {
  const { status, requestedBy, requestedAt, actedBy, actAt } = transfer;
  const pending = status === 'pending';
  const expireAt =
    pending && domain.expireAt !== null
      ? transferredEnd(domain.expireAt, transfer.years, actAt)
      : domain.expireAt;
  return { name: domain.name, status, requestedBy, requestedAt, actedBy, actAt, expireAt };
}

const SAID: Readonly<Record<EppTransferStatus, string>> = {
  pending: 'Transfer requested.',
  clientApproved: 'Transfer approved.',
  clientRejected: 'Transfer rejected.',
  clientCancelled: 'Transfer cancelled.',
  serverApproved: 'Transfer approved by the registry: nobody objected in time.',
  serverCancelled: 'Transfer cancelled by the registry.',
};

/** Tells a registrar how the holding's transfer stands. */
export function toldOfTransfer(held: InTransfer, registrar: string, at: Instant): Holding {
  const transfer = transferInfo(held.domain, held.transfer);
  return told(held, { registrar, at, text: SAID[transfer.status], about: { kind: 'transfer', transfer } });
}
