import { isIPv4, isIPv6 } from 'node:net';
import { readAddress, writeAddress } from '../network.ts';
import { fail } from './fault.ts';
import { isHostName, type NameReader, nameOctets } from './name.ts';
import { octetsOf, quote, type Token } from './presentation.ts';

/** A part of RDATA in its one form, and what it takes in a message. */
export interface Part {
  readonly text: string;
  readonly octets: number;
}

/** The words of a record's content, taken one after the other. */
export class Words {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  next(what: string): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) return fail('required', `The ${what} is missing.`);
    this.#at += 1;
    return token;
  }

  /** A word that takes no quotes and no escapes. */
  plain(what: string): string {
    const { raw, quoted } = this.next(what);
    if (quoted || raw.includes('\\') || raw.includes('"')) {
      fail('invalid_format', `The ${what} is written without quotation marks and backslashes.`);
    }
    return raw;
  }

  rest(): readonly Token[] {
    const rest = this.#tokens.slice(this.#at);
    this.#at = this.#tokens.length;
    return rest;
  }

  end(): void {
    const more = this.#tokens[this.#at];
    if (more !== undefined)
      fail('invalid_format', `There is more than belongs here: ${more.raw.slice(0, 40)}`);
  }
}

/** Reads one part of RDATA; fails when it is not there or not as it must be. */
export type Field = (words: Words, names: NameReader) => Part;

export const MOST_UINT16 = 65_535;

export function unsigned(what: string, octets: 1 | 2): Field {
  return (words) => ({ text: String(readUnsigned(words.plain(what), what, octets)), octets });
}

export function readUnsigned(text: string, what: string, octets: 1 | 2): number {
  if (!/^[0-9]+$/.test(text)) fail('invalid_format', `The ${what} must be a number.`);
  const limit = 256 ** octets - 1;
  if (text.length > 20 || Number(text) > limit) {
    fail('out_of_range', `The ${what} must be from 0 to ${limit}.`, { limit });
  }
  return Number(text);
}

/** A number of which only some have a meaning. */
export function assigned(what: string, allowed: readonly number[]): Field {
  return (words) => {
    const number = readUnsigned(words.plain(what), what, 1);
    if (!allowed.includes(number)) fail('not_allowed', `No ${what} has the number ${number}.`, { allowed });
    return { text: String(number), octets: 1 };
  };
}

export const ipv4: Field = (words) => ({ text: readIpv4(words.plain('address')), octets: 4 });
export const ipv6: Field = (words) => ({ text: readIpv6(words.plain('address')), octets: 16 });

export function readIpv4(text: string): string {
  return isIPv4(text) ? text : fail('invalid_format', 'This must be an IPv4 address, such as 192.0.2.1.');
}

/** In hexadecimal groups only: PowerDNS takes no other in AAAA records. */
export function readIpv6(text: string): string {
  const groups = isIPv6(text) && !text.includes('%') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : '';
  const address = readAddress(groups);
  if (address === null) return fail('invalid_format', 'This must be an IPv6 address, such as 2001:db8::1.');
  return writeAddress(address);
}

/** A domain name of any kind. */
export function domainName(what: string): Field {
  return (words, names) => {
    const { raw, quoted } = words.next(what);
    if (quoted) fail('invalid_format', `The ${what} is written without quotation marks.`);
    if (readAddress(raw) !== null) fail('invalid_format', `The ${what} must be a name, not an IP address.`);
    const name = names(raw);
    return { text: `${name}.`, octets: nameOctets(name) };
  };
}

/** The name of a host; `root` also allows the dot alone, by which some types say that there is none. */
export function hostName(what: string, root: 'root' | 'no root'): Field {
  return (words, names) => {
    const part = domainName(what)(words, names);
    if (part.text === '.' && root === 'root') return part;
    if (isHostName(part.text.slice(0, -1))) return part;
    return fail('invalid_format', `The ${what} must be a host name: letters, digits, hyphens and dots.`);
  };
}

const MOST_STRING_OCTETS = 255;

/** One character-string (RFC 1035 §3.3), always in quotes. */
export function characterString(what: string, requireValid: (octets: Buffer) => void = () => {}): Field {
  return (words) => {
    const octets = octetsOf(words.next(what).raw);
    if (octets.length > MOST_STRING_OCTETS) {
      fail('too_long', `The ${what} is longer than 255 octets.`, { limit: MOST_STRING_OCTETS });
    }
    requireValid(octets);
    return { text: quote(octets), octets: octets.length + 1 };
  };
}

/** As many character-strings as there are words, and more where one is too long for one. */
export const characterStrings: Field = (words) => {
  const parts: string[] = [];
  let octets = 0;
  const tokens = words.rest();
  if (tokens.length === 0) fail('required', 'The text is missing; an empty one is "".');
  for (const { raw } of tokens) {
    const whole = octetsOf(raw);
    for (let at = 0; at === 0 || at < whole.length; at += MOST_STRING_OCTETS) {
      const chunk = whole.subarray(at, at + MOST_STRING_OCTETS);
      parts.push(quote(chunk));
      octets += chunk.length + 1;
    }
  }
  return { text: parts.join(' '), octets };
};

/** Text that takes all that is left of the RDATA, so it needs no length. */
export function longText(what: string, requireValid: (octets: Buffer) => void = () => {}): Field {
  return (words) => {
    const octets = octetsOf(words.next(what).raw);
    requireValid(octets);
    return { text: quote(octets), octets: octets.length };
  };
}

/** Hexadecimal digits to the end, in as many words as one likes. */
export function hexadecimal(what: string): Field {
  return (words) => {
    let text = words.plain(what);
    for (const token of words.rest()) text += token.raw;
    if (!/^([0-9a-f]{2})+$/i.test(text)) {
      fail('invalid_format', `The ${what} must be hexadecimal digits, two for each octet.`);
    }
    return { text: text.toLowerCase(), octets: text.length / 2 };
  };
}

/** One part after the other. */
export function sequence(...fields: readonly Field[]): Field {
  return (words, names) => {
    const parts = fields.map((field) => field(words, names));
    return {
      text: parts.map((part) => part.text).join(' '),
      octets: parts.reduce((sum, part) => sum + part.octets, 0),
    };
  };
}
