import { WhoisFailure } from '../port.ts';

/** The moment by which everything must be done. */
export class Deadline {
  readonly #at: number;

  constructor(ms: number) {
    this.#at = performance.now() + ms;
  }

  /** A part of what is left, for a first try. */
  share(part: number): Deadline {
    return new Deadline((this.#at - performance.now()) * part);
  }

  atMost(ms: number): Deadline {
    return new Deadline(Math.min(ms, this.#at - performance.now()));
  }

  /** Milliseconds that are left, at least one; throws {@link WhoisFailure} when there are none. */
  leftFor(server: string): number {
    const left = Math.ceil(this.#at - performance.now());
    if (left <= 0) throw new WhoisFailure(server, 'the time was up before it was asked');
    return left;
  }
}
