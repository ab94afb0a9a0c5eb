/** What a registry says about one name. */
export interface DomainAvailability {
  /** The name as it was asked for: punycode, lower case. */
  readonly domain: string;
  readonly available: boolean;
  /** null exactly where the name is available. */
  readonly reason: UnavailableReason | null;
  /** A premium name has prices of its own, in ten-thousandths of the catalogue's currency; null: list price. */
  readonly premium: PremiumPrices | null;
}

export type UnavailableReason = 'taken' | 'reserved' | 'invalid' | 'registry_unavailable' | 'unconfirmed';

/** Prices for one year, as unit prices; transfer is null where the registry offers none for the name. */
export interface PremiumPrices {
  readonly register: bigint;
  readonly renew: bigint;
  readonly transfer: bigint | null;
  readonly restore: bigint;
}

export interface DomainQuestion {
  /** Punycode, lower case, without the root's dot: `name.tld`. */
  readonly domain: string;
  readonly tld: string;
  /** The registry connection that the catalogue maps the TLD to. */
  readonly registry: string;
}

/** Questions to registries, whichever they are. */
export interface RegistryQueries {
  /**
   * One answer per question, in order, within the deadline that was set when this was made. What a registry
   * does not say in time is `available: false, reason: 'registry_unavailable'`, for these names only. It never
   * throws. Answers may be a few seconds old.
   */
  check(questions: readonly DomainQuestion[]): Promise<readonly DomainAvailability[]>;
}

/** One connection to a registry or a gateway to many: what a driver implements. */
export interface RegistryDriver {
  /**
   * Calls `answer` for each question as its answer comes in, under the name as it was asked, and resolves when
   * none is to come any more. A question without an answer, also when this rejects, stays open: a driver never
   * guesses. `signal` is the deadline; once it is aborted, nobody waits and the driver lets go soon.
   */
  check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void>;
}
