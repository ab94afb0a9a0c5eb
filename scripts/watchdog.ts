/** Of a time limit. What passes between two of them counts as one, so that a machine that stood still used up none. */
const STEP_MS = 1000;

/** Aborts a signal, and says why, when `pat` was not called for a time in which this process ran. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #steps: number;
  #left: number;
  #reason: string;
  #complaint: string | undefined;

  constructor(ms: number, reason: string) {
    this.#steps = this.#left = stepsOf(ms);
    this.#reason = reason;
    this.#timer = setInterval(() => this.#step(), STEP_MS);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason, once time ran out. */
  get complaint(): string | undefined {
    return this.#complaint;
  }

  pat(): void {
    this.#left = this.#steps;
  }

  /** From now on another time, for another reason. */
  expect(ms: number, reason: string): void {
    this.#steps = this.#left = stepsOf(ms);
    this.#reason = reason;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #step(): void {
    this.#left--;
    if (this.#left > 0) return;
    this.stop();
    this.#complaint = this.#reason;
    this.#controller.abort();
  }
}

function stepsOf(ms: number): number {
  return Math.ceil(ms / STEP_MS) + 1; // the first may be short
}
