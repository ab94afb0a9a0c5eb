import type {
  DomainAvailability,
  NameServerHost,
  RegisteredDomain,
  RegistryContact,
  RegistryMessage,
  RegistryTransfer,
  TransferStatus,
} from '../port.ts';
import type {
  CheckedDomain,
  ContactCard,
  DomainInfo,
  EppTransferStatus,
  PolledMessage,
  TransferInfo,
} from './commands.ts';

/** What the port says, in the registry's words and back. */

const TRANSFER: Readonly<Record<EppTransferStatus, TransferStatus>> = {
  pending: 'pending',
  clientApproved: 'approved',
  serverApproved: 'approved',
  clientRejected: 'rejected',
  clientCancelled: 'cancelled',
  serverCancelled: 'cancelled',
};

export function cardOf({ handle: _handle, type: _type, ...card }: RegistryContact): ContactCard {
  return card;
}

export function domainAnswer(
  info: DomainInfo,
  nameservers: readonly NameServerHost[],
  registrar: string,
): RegisteredDomain {
  return {
    domain: info.name,
    sponsoredHere: info.sponsor === registrar,
    registrar: info.sponsor,
    statuses: [...info.statuses, ...info.grace.filter((status) => !info.statuses.includes(status))],
    registrant: info.registrant,
    contacts: Object.fromEntries(info.contacts.map(({ role, handle }) => [role, handle])),
    nameservers,
    ds: info.ds,
    createdAt: info.createdAt,
    expireAt: info.expireAt,
  };
}

export function transferAnswer(info: TransferInfo, registrar: string): RegistryTransfer {
  const { name: domain, status, requestedBy, requestedAt, actAt } = info;
  return {
    domain,
    status: TRANSFER[status],
    requestedHere: requestedBy === registrar,
    requestedAt,
    actAt,
  };
}

export function messageAnswer({ id, at, text, about }: PolledMessage, registrar: string): RegistryMessage {
  if (about.kind === 'transfer')
    return { id, at, text, about: { kind: 'transfer', transfer: transferAnswer(about.transfer, registrar) } };
  return { id, at, text, about: { kind: 'domain', domain: about.name, change: about.change } };
}

export function takenAnswer({ name, reason, fees }: CheckedDomain): DomainAvailability {
  const premium =
    fees === null || fees.class === 'standard'
      ? null
      : { register: fees.create, renew: fees.renew, transfer: fees.transfer, restore: fees.restore };
  return { domain: name, available: reason === null, reason, premium };
}
