/** The one source of "now". Requests and jobs read it once; tests and the simulator set it. */
export interface Clock {
  now(): Temporal.Instant;
}

/**
 * The machine's clock, in whole milliseconds: the precision that the ledger's hash chain covers. For programs without a
 * database; with one, time is the database's.
 */
export const systemClock: Clock = {
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
};

/** A clock that stands still until it is moved. */
export class SetClock implements Clock {
  #now: Temporal.Instant;

  constructor(start: Temporal.Instant) {
    this.#now = start;
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  set(now: Temporal.Instant): void {
    this.#now = now;
  }
}
