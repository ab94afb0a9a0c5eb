import { z } from 'zod';
import { type Network, networksBetween, readAddress, writeAddress } from '../../../base/network.ts';
import type { WhoisQuestion, WhoisRegistrar } from '../port.ts';
import { hostNames, moment, plainText, statuses, type Told } from './told.ts';

// RFC 9083, as far as it is used here. Servers differ: what is not as it should be counts as not there.

const text = z.string().optional().catch(undefined);
const texts = z.array(z.string()).catch([]);
const list = <T extends z.ZodType>(item: T) => z.array(item.nullable().catch(null)).catch([]);

const Contact = z.object({
  handle: text,
  roles: texts,
  publicIds: list(z.object({ type: z.string(), identifier: z.coerce.string() })),
  /** jCard (RFC 7095): properties of name, parameters, type and values. */
  vcardArray: z
    .tuple([z.literal('vcard'), z.array(z.array(z.unknown()))])
    .optional()
    .catch(undefined),
  links: list(z.object({ rel: text, href: z.string() })),
});
const Entity = Contact.extend({ entities: list(Contact) });

const Answer = z.object({
  objectClassName: z.enum(['domain', 'ip network', 'autnum']),
  status: texts,
  events: list(z.object({ eventAction: z.string(), eventDate: z.string() })),
  entities: list(Entity),
  nameservers: list(z.object({ ldhName: z.string() })),
  secureDNS: z.object({ delegationSigned: z.boolean() }).optional().catch(undefined),
  name: text,
  handle: text,
  country: text,
  startAddress: text,
  endAddress: text,
  cidr0_cidrs: list(z.object({ v4prefix: text, v6prefix: text, length: z.int().min(0).max(128) })),
  startAutnum: z.int().optional().catch(undefined),
  endAutnum: z.int().optional().catch(undefined),
});
type Answer = z.infer<typeof Answer>;
type Contact = z.infer<typeof Contact>;

const CLASSES = { domain: 'domain', ipv4: 'ip network', ipv6: 'ip network', asn: 'autnum' } as const;

/** What an RDAP answer tells; null where it is none, or one to another question. */
export function readRdap(json: string, question: WhoisQuestion): Told | null {
  const answer = parse(json);
  if (answer === null || answer.objectClassName !== CLASSES[question.type]) return null;
  const date = (action: string) =>
    moment(answer.events.find((event) => event?.eventAction.toLowerCase() === action)?.eventDate);
  return {
    registrar: registrarOf(answer),
    status: statuses(answer.status),
    nameservers: hostNames(present(answer.nameservers).map(({ ldhName }) => ldhName)),
    dnssec: answer.secureDNS?.delegationSigned ?? null,
    createdAt: date('registration'),
    updatedAt: date('last changed'),
    expireAt: date('expiration'),
    network: networkOf(answer),
  };
}

function parse(json: string): Answer | null {
  try {
    return Answer.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

function registrarOf({ entities }: Answer): WhoisRegistrar | null {
  const registrar = present(entities).find(({ roles }) => roles.includes('registrar'));
  if (registrar === undefined) return null;
  const name = property(registrar, 'fn') ?? property(registrar, 'org') ?? plainText(registrar.handle);
  if (name === null) return null;
  const iana = present(registrar.publicIds).find(({ type }) => /iana/i.test(type))?.identifier;
  const abuse = present(registrar.entities).find(({ roles }) => roles.includes('abuse'));
  return {
    name,
    ianaId: iana !== undefined && /^\d{1,9}$/.test(iana) ? Number(iana) : null,
    url: property(registrar, 'url') ?? plainText(aboutLink(registrar)),
    abuseEmail: abuse === undefined ? null : property(abuse, 'email'),
    abusePhone: abuse === undefined ? null : (property(abuse, 'tel')?.replace(/^tel:/i, '') ?? null),
  };
}

function aboutLink({ links }: Contact): string | undefined {
  return present(links).find(({ rel }) => rel === 'about')?.href;
}

/** The first text of a jCard's property. */
function property({ vcardArray }: Contact, name: string): string | null {
  const found = vcardArray?.[1].find(([of]) => of === name)?.[3];
  return typeof found === 'string' ? plainText(found) : null;
}

function networkOf(answer: Answer): Told['network'] {
  const cidr = answer.objectClassName === 'autnum' ? numbersOf(answer) : prefixesOf(answer);
  if (cidr === null) return null;
  const country = plainText(answer.country)?.toUpperCase();
  return {
    cidr,
    name: plainText(answer.name) ?? plainText(answer.handle) ?? '',
    country: country !== undefined && /^[A-Z]{2}$/.test(country) ? country : null,
  };
}

function numbersOf({ startAutnum, endAutnum = startAutnum }: Answer): string | null {
  if (startAutnum === undefined) return null;
  return startAutnum === endAutnum ? `AS${startAutnum}` : `AS${startAutnum}-AS${endAutnum}`;
}

/** The extension that most registries have tells prefixes; all tell the first and the last address. */
function prefixesOf({ cidr0_cidrs, startAddress = '', endAddress = '' }: Answer): string | null {
  const prefixes = present(cidr0_cidrs).flatMap(({ v4prefix, v6prefix, length }) => {
    const address = readAddress(v4prefix ?? v6prefix ?? '');
    return address === null ? [] : [`${writeAddress(address)}/${length}`];
  });
  return prefixes.length > 0 ? prefixes.join(', ') : prefixesBetween(startAddress, endAddress);
}

/** All addresses from one to another, as the networks that they are; null if that is no range. */
export function prefixesBetween(from: string, to: string): string | null {
  const [first, last] = [readAddress(from), readAddress(to)];
  if (first === null || last === null || first.family !== last.family || first.value > last.value)
    return null;
  const written = ({ family, first: value, prefix }: Network) =>
    `${writeAddress({ family, value })}/${prefix}`;
  return networksBetween(first, last).map(written).join(', ');
}

function present<T>(values: readonly (T | null)[]): readonly T[] {
  return values.filter((value) => value !== null);
}
