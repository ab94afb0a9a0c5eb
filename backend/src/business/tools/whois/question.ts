import { isIP } from 'node:net';
import { readSystemNumber, specialNumbersOf } from '../../../base/autonomous-system.ts';
import { DOMAIN_NAME_PROBLEMS, readDomainName } from '../../../base/domain-name.ts';
import { registrableName } from '../../../base/domain-suffix.ts';
import { canonicalAddress } from '../../../base/ip.ts';
import { specialPurposeOf } from '../../../base/special-purpose.ts';
import { isSpecialUseName } from '../../../base/special-use-name.ts';
import type { WhoisQuestion, WhoisRecord } from '../../../drivers/whois/port.ts';

export type QuestionReading =
  | { readonly ok: true; readonly question: WhoisQuestion }
  | { readonly ok: false; readonly problem: string };

const TLD = /^(?:[a-z]+|xn--[a-z0-9-]+)$/;

/**
 * Reads a domain name, an address or a number of an autonomous system, as people type them. Of a longer name the
 * part that is registered is asked about: `www.example.co.uk` is `example.co.uk`.
 */
export function readQuestion(text: string): QuestionReading {
  const number = readSystemNumber(text);
  if (number !== null) return { ok: true, question: { type: 'asn', number } };
  const address = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) {
    const canonical = canonicalAddress(address);
    return { ok: true, question: { type: isIP(canonical) === 4 ? 'ipv4' : 'ipv6', address: canonical } };
  }
  const reading = readDomainName(text);
  if (!reading.ok) return { ok: false, problem: DOMAIN_NAME_PROBLEMS[reading.problem] };
  const { ascii } = reading.name;
  if (!ascii.includes('.') && !TLD.test(ascii)) return { ok: false, problem: DOMAIN_NAME_PROBLEMS.empty };
  return { ok: true, question: { type: 'domain', name: registrableName(ascii) ?? ascii } };
}

/** The question in one canonical text. */
export function questionText(question: WhoisQuestion): string {
  switch (question.type) {
    case 'domain':
      return question.name;
    case 'asn':
      return `AS${question.number}`;
    default:
      return question.address;
  }
}

/** What is known without asking anybody. */
export interface LocalAnswer {
  readonly network: WhoisRecord['network'];
}

/**
 * Names, addresses and numbers that nobody can register: for one's own network, for documentation, reserved. Nobody
 * outside is told that they were asked about. null: the registries know.
 */
export function answerLocally(question: WhoisQuestion): LocalAnswer | null {
  switch (question.type) {
    case 'domain':
      // A single label is a TLD here, not the name of a machine nearby.
      return isSpecialUseName(`any.${question.name}`) ? { network: null } : null;
    case 'asn': {
      const special = specialNumbersOf(question.number);
      return special === null
        ? null
        : { network: { cidr: special.numbers, name: special.name, country: null } };
    }
    default: {
      const special = specialPurposeOf(question.address);
      return special === null
        ? null
        : { network: { cidr: special.network, name: special.name, country: null } };
    }
  }
}
