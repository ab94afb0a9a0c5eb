import { readDsData } from '../../epp/delegation-signer.ts';
import { instantOf } from '../../epp/wire/date-time.ts';
import { childOf, childrenOf, type Element, textOf, textsOf, token } from '../../epp/wire/element.ts';
import type { ClientStatus, ContactRole, DelegationSigner } from '../../port.ts';
import type { ContactOf, DomainChange, NewDomain, RestoreReport } from '../commands.ts';
import { names, passwordIn, readAuthInfo, readPeriod, requiredName, requiredText } from './read.ts';
import { CommandRefused } from './result.ts';

const ROLES: readonly ContactRole[] = ['admin', 'tech', 'billing'];
const STATUSES: readonly ClientStatus[] = [
  'clientHold',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'clientDeleteProhibited',
  'clientRenewProhibited',
];

/** RFC 5731 §3.2.1, with RFC 5910 §5.2.1. */
export function readCreate(object: Element, signed: Element | null): Omit<NewDomain, 'fee'> {
  const authcode = readAuthInfo(object);
  if (authcode === null) throw new CommandRefused(2003, 'domain:authInfo is missing');
  return {
    name: requiredName(object, 'domain'),
    years: readPeriod(object),
    registrant: textOf(object, 'domain', 'registrant'),
    contacts: readContacts(object),
    hosts: readHosts(object),
    ds: readSigners(signed),
    authcode,
  };
}

/** RFC 5731 §3.2.5, with RFC 5910 §5.2.5. */
export function readChange(object: Element, signed: Element | null): DomainChange {
  const [add, remove, change] = ['add', 'rem', 'chg'].map((name) => childOf(object, 'domain', name));
  const registrant = textOf(change ?? null, 'domain', 'registrant');
  if (registrant === '') throw new CommandRefused(2306, 'domains here have a registrant');
  const removed = childOf(signed, 'secDNS', 'rem');
  return {
    name: requiredName(object, 'domain'),
    addHosts: readHosts(add ?? null),
    removeHosts: readHosts(remove ?? null),
    addContacts: readContacts(add ?? null),
    removeContacts: readContacts(remove ?? null),
    addStatuses: readStatuses(add ?? null),
    removeStatuses: readStatuses(remove ?? null),
    ...(registrant === null ? {} : { registrant }),
    ...newAuthcode(change ?? null),
    removeAllDs: ['1', 'true'].includes(textOf(removed, 'secDNS', 'all') ?? ''),
    removeDs: readSigners(removed),
    addDs: readSigners(childOf(signed, 'secDNS', 'add')),
  };
}

/** RFC 3915 §4.2.5. */
export function readReport(name: string, report: Element): RestoreReport {
  const instant = (member: string) => {
    const at = instantOf(requiredText(report, 'rgp', member));
    if (at === null) throw new CommandRefused(2005, `rgp:${member} is no moment`);
    return at;
  };
  return {
    name,
    deletedAt: instant('delTime'),
    restoredAt: instant('resTime'),
    reason: requiredText(report, 'rgp', 'resReason'),
    statements: textsOf(report, 'rgp', 'statement'),
  };
}

function readHosts(parent: Element | null): readonly string[] {
  const ns = childOf(parent, 'domain', 'ns');
  const [attribute] = childrenOf(ns, 'domain', 'hostAttr');
  if (attribute !== undefined) throw new CommandRefused(2102, 'hosts here are objects', attribute);
  return names(textsOf(ns, 'domain', 'hostObj'));
}

function readContacts(parent: Element | null): readonly ContactOf[] {
  return childrenOf(parent, 'domain', 'contact').map((contact) => {
    const role = ROLES.find((known) => known === contact.attributes.type);
    if (role === undefined) throw new CommandRefused(2005, 'a contact has an unknown role', contact);
    return { role, handle: token(contact) };
  });
}

function readStatuses(parent: Element | null): readonly ClientStatus[] {
  return childrenOf(parent, 'domain', 'status').map((element) => {
    const status = STATUSES.find((known) => known === element.attributes.s);
    if (status === undefined) throw new CommandRefused(2306, 'registrars do not set this status', element);
    return status;
  });
}

function readSigners(parent: Element | null): readonly DelegationSigner[] {
  const [key] = childrenOf(parent, 'secDNS', 'keyData');
  if (key !== undefined) throw new CommandRefused(2102, 'signers here are DS data', key);
  return childrenOf(parent, 'secDNS', 'dsData').map(readDsData);
}

/** Emptied by `domain:null`, or by an empty password (RFC 9154 §4.4). */
function newAuthcode(change: Element | null): Pick<DomainChange, 'authcode'> {
  const authInfo = childOf(change, 'domain', 'authInfo');
  if (authInfo === null) return {};
  if (childOf(authInfo, 'domain', 'null') !== null) return { authcode: null };
  return { authcode: passwordIn(authInfo) || null };
}
