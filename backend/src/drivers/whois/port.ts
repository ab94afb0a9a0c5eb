import type { Instant } from '../../base/time.ts';

/** What is asked about: a domain name (ASCII), an address (canonical), or an autonomous system. */
export type WhoisQuestion =
  | { readonly type: 'domain'; readonly name: string }
  | { readonly type: 'ipv4' | 'ipv6'; readonly address: string }
  | { readonly type: 'asn'; readonly number: number };

/** By which protocol: RDAP (RFC 9082), WHOIS (RFC 3912), or RDAP and, where it has no answer, WHOIS. */
export type WhoisSource = 'auto' | 'rdap' | 'whois';

export interface WhoisRegistrar {
  readonly name: string;
  readonly ianaId: number | null;
  readonly url: string | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
}

/** What a registry knows, in one shape whatever it speaks. Texts are the registry's, without control characters. */
export interface WhoisRecord {
  readonly source: 'rdap' | 'whois';
  /** The host that answered. */
  readonly server: string;
  /** null: the answer does not say. */
  readonly registered: boolean | null;
  readonly registrar: WhoisRegistrar | null;
  /** In RDAP's words (RFC 8056): `client transfer prohibited`, `active`. */
  readonly status: readonly string[];
  /** Host names, lower case. */
  readonly nameservers: readonly string[];
  readonly dnssec: boolean | null;
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant | null;
  readonly expireAt: Instant | null;
  /** Of addresses: the network; of an autonomous system: its number, or the block of numbers, instead of a CIDR. */
  readonly network: { readonly cidr: string; readonly name: string; readonly country: string | null } | null;
  /** The answer as it came. */
  readonly raw: string;
  readonly fetchedAt: Instant;
  /** Whether it was remembered from an earlier question. */
  readonly cached: boolean;
}

/** No answer that can be used; the message says why. */
export class WhoisFailure extends Error {
  override readonly name = 'WhoisFailure';
  /** The host that was asked, or the protocol if it came to none. */
  readonly server: string;

  constructor(server: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.server = server;
  }
}

/** Who has registered what on the Internet. */
export interface WhoisDirectory {
  /** Throws {@link WhoisFailure} when the source fails, or does not answer within the deadline. */
  lookup(question: WhoisQuestion, source: WhoisSource, deadlineMs: number): Promise<WhoisRecord>;
}
