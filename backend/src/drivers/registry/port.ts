/** What a registry says about one name. */
export interface DomainAvailability {
  /** The name as it was asked for: punycode, lower case. */
  readonly domain: string;
  readonly available: boolean;
  readonly reason: 'taken' | 'reserved' | 'invalid' | 'registry_unavailable' | 'unconfirmed' | null;
  /** A premium name has prices of its own, in ten-thousandths of the catalogue's currency; null: list price. */
  readonly premium: PremiumPrices | null;
}

export interface PremiumPrices {
  readonly register: bigint;
  readonly renew: bigint;
  readonly transfer: bigint | null;
  readonly restore: bigint;
}

export interface DomainQuestion {
  readonly domain: string;
  readonly tld: string;
  /** The registry connection that the catalogue maps the TLD to. */
  readonly registry: string;
}

/** Questions to registries. */
export interface RegistryQueries {
  /**
   * One answer per question, in order, within `deadlineMs`. A registry that does not answer in time yields
   * `available: false, reason: 'registry_unavailable'` for its names only; it never throws.
   */
  check(questions: readonly DomainQuestion[], deadlineMs: number): Promise<readonly DomainAvailability[]>;
}
