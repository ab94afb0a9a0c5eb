import type { ClientStatus, WantedDomain } from '../port.ts';
import type { DomainChange, DomainInfo } from './commands.ts';
import { rolesOf, without } from './delegation.ts';
import { sameSigner } from './domain-links.ts';

const CLIENT_STATUSES: readonly ClientStatus[] = [
  'clientHold',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'clientDeleteProhibited',
  'clientRenewProhibited',
];

/** What is to be added and removed for the domain to be as it is wanted; null: it is. */
export function differenceOf(info: DomainInfo, wanted: WantedDomain): DomainChange | null {
  const change = {
    ...hostDifference(info, wanted),
    ...contactDifference(info, wanted),
    ...statusDifference(info, wanted),
    ...signerDifference(info, wanted),
    ...(wanted.authcode === undefined || wanted.authcode === info.authcode
      ? {}
      : { authcode: wanted.authcode }),
  };
  return Object.keys(change).length === 0 ? null : { name: info.name, ...change };
}

function hostDifference({ hosts }: DomainInfo, { nameservers }: WantedDomain): Partial<DomainChange> {
  if (nameservers === undefined) return {};
  const names = nameservers.map(({ hostname }) => hostname);
  return filled({ addHosts: without(names, hosts), removeHosts: without(hosts, names) });
}

function contactDifference(info: DomainInfo, { contacts }: WantedDomain): Partial<DomainChange> {
  if (contacts === undefined) return {};
  const { registrant } = contacts;
  const wanted = rolesOf(contacts);
  const concerned = info.contacts.filter(({ role }) => contacts[role] !== undefined);
  const same = (a: (typeof wanted)[number], b: (typeof wanted)[number]) =>
    a.role === b.role && a.handle === b.handle;
  return {
    ...filled({
      addContacts: without(wanted, info.contacts, same),
      removeContacts: without(concerned, wanted, same),
    }),
    ...(registrant === undefined || registrant.handle === info.registrant
      ? {}
      : { registrant: registrant.handle }),
  };
}

function statusDifference(info: DomainInfo, { statuses }: WantedDomain): Partial<DomainChange> {
  if (statuses === undefined) return {};
  const present = CLIENT_STATUSES.filter((status) => info.statuses.includes(status));
  return filled({ addStatuses: without(statuses, present), removeStatuses: without(present, statuses) });
}

function signerDifference(info: DomainInfo, { ds }: WantedDomain): Partial<DomainChange> {
  if (ds === undefined) return {};
  return filled({ addDs: without(ds, info.ds, sameSigner), removeDs: without(info.ds, ds, sameSigner) });
}

/** Only the lists that hold something. */
function filled<Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;
}
