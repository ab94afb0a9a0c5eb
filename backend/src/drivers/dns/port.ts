import type { DelegationSigner } from '../../base/delegation-signer.ts';
import type { CommandOutcome } from '../outcome.ts';

/**
 * All records of one name and type (RFC 2181 §5). Names are absolute, in lower case and punycode, without the root's
 * dot; `records` are RDATA in presentation format (RFC 1035 §5.1), in which names are absolute and end with a dot.
 */
export interface RrSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  /** Empty: there is none of this name and type. Without duplicates. */
  readonly records: readonly string[];
}

/** A zone as it is served. */
export interface WantedZone {
  /** Absolute, in lower case and punycode, without the root's dot. */
  readonly zone: string;
  /** Every record set but the SOA and the apex NS, which follow from `nameservers`. */
  readonly rrsets: readonly RrSet[];
  /** Host names that the zone is delegated to, the primary first. */
  readonly nameservers: readonly string[];
  /** Signed with keys of its own. */
  readonly dnssec: boolean;
}

/** Some record sets of a zone as they should be; all others stay as they are. */
export interface WantedRrSets {
  readonly zone: string;
  readonly rrsets: readonly RrSet[];
}

export interface ServedZone {
  readonly zone: string;
  readonly serial: number;
  readonly dnssec: boolean;
  /** For the parent; empty for a zone that is not signed. */
  readonly ds: readonly DelegationSigner[];
}

/** How many of the servers that a zone is delegated to serve its newest version. */
export interface Publication {
  readonly serial: number;
  readonly nameserversTotal: number;
  readonly nameserversCurrent: number;
}

/** Questions to the name servers. Each throws BackendUnavailable when there is no answer within the deadline. */
export interface DnsQueries {
  /** null: not served here. */
  zone(zone: string, deadlineMs: number): Promise<ServedZone | null>;
  /** Asks every name server of the zone for its SOA; null: not served here. */
  publication(zone: string, deadlineMs: number): Promise<Publication | null>;
}

/**
 * What jobs may do. Commands name the wanted state, may run twice, and throw BackendUnavailable when their outcome is
 * unknown. After a refusal nothing has changed. Once a command is done, the primary answers accordingly and its
 * secondaries were told.
 */
export interface Dns extends DnsQueries {
  /** Makes the zone, or brings it to exactly what is wanted. Its keys stay while it is signed. */
  ensureZone(wanted: WantedZone): Promise<CommandOutcome<ServedZone>>;
  /** Brings some record sets to what is wanted; refused when the zone is not served here. */
  ensureRrSets(wanted: WantedRrSets): Promise<CommandOutcome<ServedZone>>;
  /** Signs the zone, or stops signing it; the caller sees to the DS (rule F7). Refused when it is not served here. */
  ensureDnssec(zone: string, enabled: boolean): Promise<CommandOutcome<ServedZone>>;
  /** Removes the zone and its keys; done when there is none. */
  ensureAbsent(zone: string): Promise<CommandOutcome<null>>;
  /** Every zone that is served here, for comparison with the books. */
  list(): Promise<readonly string[]>;
}

/** A name server as a customer names it. */
export interface NamedServer {
  readonly hostname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/** What one name server says of a zone. */
export interface ServerReport {
  readonly hostname: string;
  /** Whether its name has addresses, all of them the world's. */
  readonly resolves: boolean;
  /** Whether every one of them gives the zone's SOA with authority. */
  readonly authoritative: boolean;
  /** The lowest of their serials. */
  readonly soaSerial: number | null;
  /** How long the slowest of them took. */
  readonly latencyMs: number | null;
  /** Whether it has a key for one of the DS that were asked about; null: there were none, or no answer. */
  readonly hasKey: boolean | null;
}

export interface DelegationQuestion {
  /** Punycode, lower case, without the root's dot. */
  readonly zone: string;
  /** With addresses only where the name is below the zone itself: these are asked, no others. */
  readonly nameservers: readonly NamedServer[];
  readonly ds: readonly DelegationSigner[];
}

/** A record set that somebody else's name servers have. */
export interface ExistingRecord {
  /** Absolute, in lower case, without the root's dot. */
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  /** In presentation form; null: nobody can read it. */
  readonly rdata: string | null;
}

/** A zone as somebody else's name servers have it. */
export interface ExistingZone {
  /**
   * A transfer has all of its records (RFC 5936). Where none is allowed, usual names were asked for: whatever has another
   * name is missing. null: nobody answers for the zone.
   */
  readonly source: 'transfer' | 'questions' | null;
  /** Those that it is delegated to. */
  readonly nameservers: readonly string[];
  /** Without SOA, the NS of the zone itself, and signatures, which belong to those name servers. */
  readonly records: readonly ExistingRecord[];
  /** Whether nothing that was asked remained without an answer. */
  readonly complete: boolean;
}

/** Asks name servers that a customer named whether a zone can be delegated to them, and what they have of it. */
export interface DelegationQueries {
  /** What a zone consists of that somebody else serves. It never throws: what was not heard in time is not there. */
  existing(zone: string, deadlineMs: number): Promise<ExistingZone>;
  /** One report per name server, in order, within the deadline. It never throws: no answer is a report, too. */
  inspect(question: DelegationQuestion, deadlineMs: number): Promise<readonly ServerReport[]>;
}
