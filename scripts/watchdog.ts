/** Aborts a signal, and says why, when `pat` was not called for a time. */
export class Watchdog {
  readonly #controller = new AbortController();
  #reason: string;
  #timer: NodeJS.Timeout;
  #complaint: string | undefined;

  constructor(ms: number, reason: string) {
    this.#reason = reason;
    this.#timer = this.#wait(ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason, once time ran out. */
  get complaint(): string | undefined {
    return this.#complaint;
  }

  pat(): void {
    this.#timer.refresh();
  }

  /** From now on another time, for another reason. */
  expect(ms: number, reason: string): void {
    this.stop();
    this.#reason = reason;
    this.#timer = this.#wait(ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#complaint = this.#reason;
      this.#controller.abort();
    }, ms);
  }
}
