import { isHostname } from '../../../base/hostname.ts';
import type { OutboundOptions } from '../../../base/outbound.ts';
import { WhoisFailure, type WhoisQuestion } from '../port.ts';
import type { Deadline } from './deadline.ts';
import type { Answered } from './rdap.ts';
import type { Told } from './told.ts';
import { askWhois, WHOIS_PORT } from './whois-client.ts';
import { readWhois, saysAbsent, shortened } from './whois-record.ts';

const IANA = 'whois.iana.org';
/** IANA, the registry, the registrar, and one more. */
const MOST_HOPS = 4;

/** How some servers want to be asked for the object itself, and for it alone. */
const QUESTIONS: Readonly<Record<string, Partial<Record<WhoisQuestion['type'], (name: string) => string>>>> =
  {
    'whois.denic.de': { domain: (name) => `-T dn,ace ${name}` },
    'whois.verisign-grs.com': { domain: (name) => `domain ${name}` },
    'whois.jprs.jp': { domain: (name) => `${name}/e` },
    'whois.arin.net': {
      ipv4: (address) => `n + ${address}`,
      ipv6: (address) => `n + ${address}`,
      asn: (number) => `a + ${number}`,
    },
  };

const REFERRAL =
  /^[ \t]*(?:refer|whois|whois server|registrar whois server|referralserver)[ \t]*:[ \t]*(?:whois:\/\/)?([a-z0-9.-]+)(?::(\d+))?\/?[ \t]*$/im;

export interface WhoisOptions {
  readonly outbound: OutboundOptions;
  /** For tests, where no server may listen on port 43. */
  readonly whoisPort?: (host: string) => number;
}

/**
 * Asks IANA's WHOIS server who is to be asked, and follows referrals from there to the registry and the registrar;
 * only to port 43, and only where the outbound guard allows. What a referral adds fills what was not told before; one
 * that fails takes nothing from what was. Throws {@link WhoisFailure}.
 */
export async function lookupByWhois(
  question: WhoisQuestion,
  deadline: Deadline,
  { outbound, whoisPort = () => WHOIS_PORT }: WhoisOptions,
): Promise<Answered> {
  const answers: { readonly server: string; readonly text: string }[] = [];
  const asked = new Set<string>();
  let server: string | null = IANA;
  while (server !== null && !asked.has(server) && asked.size < MOST_HOPS) {
    asked.add(server);
    const address = { host: server, port: whoisPort(server) };
    try {
      const text = await askWhois(address, lineFor(server, question), deadline, outbound);
      answers.push({ server, text });
      server = referralIn(text);
    } catch (error) {
      if (!(error instanceof WhoisFailure) || answers.length < 2) throw error;
      server = null;
    }
  }
  return answered(question, answers);
}

function lineFor(server: string, question: WhoisQuestion): string {
  const { type } = question;
  const name =
    type === 'domain' ? question.name : type === 'asn' ? String(question.number) : question.address;
  // IANA needs to know no more than the TLD.
  if (server === IANA && type === 'domain') return name.slice(name.lastIndexOf('.') + 1);
  return QUESTIONS[server]?.[type]?.(name) ?? (type === 'asn' ? `AS${name}` : name);
}

function referralIn(text: string): string | null {
  const [, host = '', port = String(WHOIS_PORT)] = REFERRAL.exec(shortened(text)) ?? [];
  return isHostname(host) && Number(port) === WHOIS_PORT ? host.toLowerCase() : null;
}

function answered(
  question: WhoisQuestion,
  answers: readonly { readonly server: string; readonly text: string }[],
): Answered {
  // What IANA says of a TLD is no answer to a question about a name under it.
  const isUnderTld = question.type === 'domain' && question.name.includes('.');
  const relevant = isUnderTld ? answers.slice(1) : answers;
  const [first, ...more] = relevant;
  if (first === undefined) throw new WhoisFailure(IANA, 'it knows no WHOIS server for this');
  const raw = relevant.map(({ server, text }) => `# ${server}\n${text.trim()}\n`).join('\n');
  const told = [first, ...more].map(({ text }) => readWhois(text));
  if (question.type === 'domain') {
    const [registry] = told;
    const registered = registry !== undefined && !isEmpty(registry);
    if (!registered && !saysAbsent(first.text)) {
      throw new WhoisFailure(first.server, 'the answer cannot be read');
    }
    const merged = registered ? told.reduce(filledBy) : readWhois('');
    return { source: 'whois', server: first.server, raw, registered, ...merged };
  }
  return numbersAnswered(relevant, told, raw);
}

/** Of addresses and numbers, the last in the chain knows best: the regional registry that was referred to. */
function numbersAnswered(
  answers: readonly { readonly server: string; readonly text: string }[],
  told: readonly Told[],
  raw: string,
): Answered {
  const at = told.findLastIndex(({ network }) => network !== null);
  const best = told[at];
  const { server = IANA, text = '' } = answers[at < 0 ? answers.length - 1 : at] ?? {};
  if (best === undefined && !saysAbsent(text)) throw new WhoisFailure(server, 'the answer cannot be read');
  return { source: 'whois', server, raw, registered: best !== undefined, ...(best ?? readWhois('')) };
}

function isEmpty(told: Told): boolean {
  const { registrar, nameservers, createdAt, updatedAt, expireAt, status } = told;
  const dates = [createdAt, updatedAt, expireAt].some((date) => date !== null);
  const isFree = status.some((word) => word === 'free' || word === 'available');
  return isFree || (registrar === null && nameservers.length === 0 && !dates && status.length === 0);
}

function filledBy(told: Told, more: Told): Told {
  const { registrar } = told;
  return {
    ...told,
    registrar: registrar === null ? more.registrar : fillRegistrar(registrar, more.registrar),
    status: told.status.length > 0 ? told.status : more.status,
    nameservers: told.nameservers.length > 0 ? told.nameservers : more.nameservers,
    dnssec: told.dnssec ?? more.dnssec,
    createdAt: told.createdAt ?? more.createdAt,
    updatedAt: told.updatedAt ?? more.updatedAt,
    expireAt: told.expireAt ?? more.expireAt,
  };
}

type Registrar = NonNullable<Told['registrar']>;

function fillRegistrar(known: Registrar, more: Registrar | null): Registrar {
  return {
    name: known.name,
    ianaId: known.ianaId ?? more?.ianaId ?? null,
    url: known.url ?? more?.url ?? null,
    abuseEmail: known.abuseEmail ?? more?.abuseEmail ?? null,
    abusePhone: known.abusePhone ?? more?.abusePhone ?? null,
  };
}
