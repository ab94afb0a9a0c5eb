import type { Books, Found } from './books.ts';
import type { TransferInfo, TransferRequest } from './commands.ts';
import { opens } from './domain-lookup.ts';
import { prohibits } from './domain-registration.ts';
import { feeObjection } from './fees.ts';
import { days, isTransferLocked } from './life.ts';
import type { Transfer } from './registration.ts';
import { type Failure, failure, type Reply, success } from './reply.ts';
import { toldOfTransfer, transferInfo, transferred } from './transition.ts';

export function requestTransfer(
  books: Books,
  registrar: string,
  request: TransferRequest,
): Promise<Reply<TransferInfo>> {
  return books.withDomain<TransferInfo>(request.name, async ({ tx, held, of: { policy }, fees, now }) => {
    const objection = requestObjection({ held, now }, registrar, request);
    if (objection !== null) return objection;
    if (policy.transfer !== 'authcode' || fees.transfer === null)
      return failure(2102, 'transfer', 'transfers are not asked for with a code here');
    const years = policy.transferYears;
    if (request.years !== null && request.years !== years)
      return failure(2004, 'period', `a transfer brings ${years} years`);
    const fee = { amount: fees.transfer * BigInt(Math.max(1, years)), currency: books.currency };
    const unpayable = feeObjection(fee, fees, request.fee) ?? (await books.credit(tx, registrar, fee.amount));
    if (unpayable !== null) return unpayable;
    const transfer: Transfer = {
      id: null,
      status: 'pending',
      requestedBy: registrar,
      requestedAt: now,
      actedBy: held.domain.sponsor,
      actAt: days(now, policy.losingDays),
      years,
      amount: fee.amount,
    };
    if (policy.losingDays > 0) {
      const asked = toldOfTransfer({ ...held, transfer }, held.domain.sponsor, now);
      return { answer: success(transferInfo(held.domain, transfer), 1001), holding: { ...asked, transfer } };
    }
    const moved = transferred({ ...held, transfer }, policy, { status: 'serverApproved', at: now });
    const answer = success(transferInfo(moved.domain, moved.transfer));
    return { answer, holding: toldOfTransfer(moved, held.domain.sponsor, now) };
  });
}

function requestObjection(
  { held: { domain, transfer }, now }: Pick<Found, 'held' | 'now'>,
  registrar: string,
  { authcode }: TransferRequest,
): Failure | null {
  if (domain.sponsor === registrar) return failure(2106, 'registrar', 'it is yours already');
  if (!opens(domain, authcode, now)) return failure(2202, 'authcode', 'the authcode is wrong');
  if (transfer?.status === 'pending') return failure(2300, 'transfer', 'a transfer is pending');
  if (domain.deletedAt !== null) return failure(2304, 'status', 'it is deleted');
  if (prohibits(domain, 'TransferProhibited') || isTransferLocked(domain, now))
    return failure(2304, 'lock', 'it is locked against transfers');
  return null;
}

export function approveTransfer(books: Books, registrar: string, name: string): Promise<Reply<TransferInfo>> {
  return books.withDomain<TransferInfo>(name, ({ held, of: { policy }, now }) => {
    const transfer = pendingFor(held.transfer, 'actedBy', registrar);
    if ('ok' in transfer) return transfer;
    const moved = transferred({ ...held, transfer }, policy, { status: 'clientApproved', at: now });
    const answer = success(transferInfo(moved.domain, moved.transfer));
    return { answer, holding: toldOfTransfer(moved, transfer.requestedBy, now) };
  });
}

export function rejectTransfer(books: Books, registrar: string, name: string): Promise<Reply<TransferInfo>> {
  return end(books, registrar, name, { status: 'clientRejected', by: 'actedBy', tells: 'requestedBy' });
}

export function cancelTransfer(books: Books, registrar: string, name: string): Promise<Reply<TransferInfo>> {
  return end(books, registrar, name, { status: 'clientCancelled', by: 'requestedBy', tells: 'actedBy' });
}

type Party = 'requestedBy' | 'actedBy';

/** The domain stays where it is. */
function end(
  books: Books,
  registrar: string,
  name: string,
  how: {
    readonly status: 'clientRejected' | 'clientCancelled';
    readonly by: Party;
    readonly tells: Party;
  },
): Promise<Reply<TransferInfo>> {
  return books.withDomain<TransferInfo>(name, ({ held, now }) => {
    const pending = pendingFor(held.transfer, how.by, registrar);
    if ('ok' in pending) return pending;
    const transfer: Transfer = { ...pending, status: how.status, actAt: now };
    const told = toldOfTransfer({ ...held, transfer }, transfer[how.tells], now);
    return { answer: success(transferInfo(held.domain, transfer)), holding: { ...told, transfer } };
  });
}

function pendingFor(transfer: Transfer | null, party: Party, registrar: string): Transfer | Failure {
  if (transfer?.status !== 'pending') return failure(2301, 'transfer', 'no transfer is pending');
  return transfer[party] === registrar
    ? transfer
    : failure(2201, 'registrar', 'this is for the other registrar');
}
