const LONGEST_MICROSECONDS = 4_000_000;

/** Counts latencies by the microsecond, so that recording one costs an addition and percentiles are exact. */
export class Latencies {
  readonly #counts = new Uint32Array(LONGEST_MICROSECONDS + 1);
  #total = 0;

  record(milliseconds: number): void {
    const microseconds = Math.min(LONGEST_MICROSECONDS, Math.round(milliseconds * 1000));
    this.#counts[microseconds] = (this.#counts[microseconds] ?? 0) + 1;
    this.#total += 1;
  }

  get count(): number {
    return this.#total;
  }

  /** The latency, in milliseconds, that the given share (0 to 1) of all stayed at or below; 0 when there are none. */
  percentile(share: number): number {
    const wanted = Math.ceil(this.#total * share);
    let seen = 0;
    for (const [microseconds, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= wanted && seen > 0) return microseconds / 1000;
    }
    return 0;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }
}
