import type { Instant } from '../../../base/time.ts';
import { isBelow } from '../delegation.ts';
import type { ContactRole, DomainRef, NameServerHost, RegisteredDomain } from '../port.ts';
import { readAddresses, writeAddresses } from './address.ts';
import { readDs } from './delegation-signer.ts';
import { hostInfo } from './host.ts';
import { Refused, refusalOf } from './refusal.ts';
import { ask, type EppRegistry } from './registry.ts';
import { readInstant } from './wire/date-time.ts';
import { isWritable } from './wire/document.ts';
import { childOf, childrenOf, type Element, textOf, textsOf, token, writer } from './wire/element.ts';
import { NS } from './wire/namespace.ts';
import { dataOf, type EppResponse } from './wire/response.ts';

/** A domain as `info` tells of it: what the port says, and what only the driver needs. */
export interface FoundDomain extends RegisteredDomain {
  /** Everybody in each role: a registry may keep several, of whom the port tells the first. */
  readonly allContacts: readonly ContactOf[];
  /** Hosts below it, whoever delegates to them. */
  readonly subordinateHosts: readonly string[];
  readonly updatedAt: Instant | null;
  /** When it came from another registrar; null: it never did. */
  readonly transferredAt: Instant | null;
  /** null where it is not told. */
  readonly authcode: string | null;
}

export interface ContactOf {
  readonly role: ContactRole;
  readonly handle: string;
}

const domain = writer('domain');
const ROLES: readonly ContactRole[] = ['admin', 'tech', 'billing'];

/** null: not registered. Throws Refused where the registry does not say that either. */
export async function findDomain(
  registry: EppRegistry,
  ref: DomainRef,
  authcode?: string,
): Promise<FoundDomain | null> {
  try {
    return await tellOf(registry, ref, authcode);
  } catch (error) {
    const isOfCode = error instanceof Refused && error.reason === 'authcode_invalid';
    if (authcode === undefined || !isOfCode) throw error;
    // A wrong code tells no more than none does.
    const told = await tellOf(registry, ref);
    return told === null ? null : { ...told, authcodeRefused: true };
  }
}

async function tellOf(registry: EppRegistry, ref: DomainRef, authcode?: string): Promise<FoundDomain | null> {
  const response = await ask(registry, ref, () => ({
    name: 'domain info',
    verb: 'info',
    content: [
      domain('info', [
        domain('name', ref.domain, { hosts: 'all' }),
        authcode === undefined ? null : authInfo(authcode),
      ]),
    ],
    extensions: [],
  }));
  if (response.code === 2303) return null;
  // Nothing is told of it but that it is somebody else's.
  if (response.code === 2201) return { ...UNTOLD, domain: ref.domain };
  if (response.code >= 2000) throw refusalOf(response);
  const data = dataOf(response, 'domain', 'infData');
  const registrar = textOf(data, 'domain', 'clID');
  const createdAt = readInstant(textOf(data, 'domain', 'crDate'));
  const sponsoredHere = registrar === registry.clientId;
  if (data === null || registrar === null || (sponsoredHere && createdAt === null))
    throw new Error(`what the registry says of ${ref.domain} cannot be understood`);
  const allContacts = contactsOf(data);
  return {
    domain: ref.domain,
    sponsoredHere,
    registrar,
    statuses: statusesOf(data, response),
    registrant: textOf(data, 'domain', 'registrant'),
    contacts: Object.fromEntries(allContacts.toReversed().map(({ role, handle }) => [role, handle])),
    allContacts,
    nameservers: await nameserversOf(registry, ref, data, sponsoredHere),
    ds: readDs(response),
    createdAt,
    expireAt: readInstant(textOf(data, 'domain', 'exDate')),
    subordinateHosts: textsOf(data, 'domain', 'host').map((name) => name.toLowerCase()),
    updatedAt: readInstant(textOf(data, 'domain', 'upDate')),
    transferredAt: readInstant(textOf(data, 'domain', 'trDate')),
    authcode: childOf(childOf(data, 'domain', 'authInfo'), 'domain', 'pw')?.text ?? null,
  };
}

const UNTOLD: Omit<FoundDomain, 'domain'> = {
  sponsoredHere: false,
  registrar: null,
  statuses: [],
  registrant: null,
  contacts: {},
  allContacts: [],
  nameservers: [],
  ds: [],
  createdAt: null,
  expireAt: null,
  subordinateHosts: [],
  updatedAt: null,
  transferredAt: null,
  authcode: null,
};

/** A domain that is to be changed: ours, or this throws Refused. */
export async function ownDomain(registry: EppRegistry, ref: DomainRef): Promise<FoundDomain> {
  const found = await findDomain(registry, ref);
  if (found === null) throw new Refused('not_found', `${ref.domain} is not registered`);
  if (!found.sponsoredHere)
    throw new Refused('state_conflict', `${ref.domain} is with ${found.registrar ?? 'another registrar'}`);
  return found;
}

/** What the port tells of it. */
export function told(found: FoundDomain): RegisteredDomain {
  const { allContacts, subordinateHosts, updatedAt, transferredAt, authcode, ...registered } = found;
  return registered;
}

/** Throws Refused for what XML has no characters for: another code would be set than the one that is known. */
export function authInfo(authcode: string): Element {
  if (!isWritable(authcode))
    throw new Refused('authcode_invalid', 'the authcode has characters that XML has not');
  return domain('authInfo', domain('pw', authcode));
}

export function period(years: number): Element {
  return domain('period', String(years), { unit: 'y' });
}

/** Name servers in one of the two forms of RFC 5731 §1.1; null: none. */
export function nsOf(hosts: readonly NameServerHost[], form: 'objects' | 'attributes'): Element | null {
  if (hosts.length === 0) return null;
  return domain(
    'ns',
    hosts.map((host) =>
      form === 'objects'
        ? domain('hostObj', host.hostname)
        : domain('hostAttr', [
            domain('hostName', host.hostname),
            ...writeAddresses(domain, 'hostAddr', host),
          ]),
    ),
  );
}

/** RFC 3915: registries write one element with several statuses, or several with one. */
function graceOf({ extensions }: EppResponse): readonly Element[] {
  return extensions
    .filter(({ namespace, name }) => namespace === NS.rgp && name === 'infData')
    .flatMap((data) => childrenOf(data, 'rgp', 'rgpStatus'));
}

export function statusesOf(data: Element, response: EppResponse): readonly string[] {
  const grace = graceOf(response);
  const statuses = [...childrenOf(data, 'domain', 'status'), ...grace].map(
    ({ attributes }) => attributes.s ?? '',
  );
  return [...new Set(statuses)].filter((status) => status !== '');
}

function contactsOf(data: Element): readonly ContactOf[] {
  return childrenOf(data, 'domain', 'contact').flatMap((contact) => {
    const role = ROLES.find((known) => known === contact.attributes.type);
    return role === undefined ? [] : [{ role, handle: token(contact) }];
  });
}

/** Glue of host objects is theirs to tell: those below a domain of ours are asked for. */
async function nameserversOf(
  registry: EppRegistry,
  ref: DomainRef,
  data: Element,
  sponsoredHere: boolean,
): Promise<readonly NameServerHost[]> {
  const ns = childOf(data, 'domain', 'ns');
  const attributes = childrenOf(ns, 'domain', 'hostAttr').map((host) => ({
    hostname: (textOf(host, 'domain', 'hostName') ?? '').toLowerCase(),
    ...readAddresses(childrenOf(host, 'domain', 'hostAddr')),
  }));
  const objects = await Promise.all(
    textsOf(ns, 'domain', 'hostObj').map(async (name) => {
      const hostname = name.toLowerCase();
      const asked = sponsoredHere && isBelow(hostname, ref.domain);
      const found = asked ? await hostInfo(registry, ref, hostname) : null;
      return { hostname, ipv4: found?.ipv4 ?? [], ipv6: found?.ipv6 ?? [] };
    }),
  );
  return [...attributes, ...objects];
}
