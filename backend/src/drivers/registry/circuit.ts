/**
 * Whether it is worth asking a back end (a circuit breaker). After several failures in a row nobody is let through for
 * a while; then one at a time, as a probe, until one succeeds.
 */
export class Circuit {
  readonly #failuresToOpen: number;
  readonly #openMs: number;
  #failures = 0;
  #opensAgainAt = 0;

  constructor(failuresToOpen: number, openMs: number) {
    this.#failuresToOpen = failuresToOpen;
    this.#openMs = openMs;
  }

  /** Who is admitted tells by `succeeded` or `failed` how it went. */
  admits(): boolean {
    if (this.#failures < this.#failuresToOpen) return true;
    const now = performance.now();
    if (now < this.#opensAgainAt) return false;
    // The probe; the next one may try when this one was given up, should nobody hear of it again.
    this.#opensAgainAt = now + this.#openMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= this.#failuresToOpen) this.#opensAgainAt = performance.now() + this.#openMs;
  }
}
