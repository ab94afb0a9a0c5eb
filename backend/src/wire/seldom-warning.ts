import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';

const PAUSE_SECONDS = 60;

/**
 * A warning that anybody can bring about as often as they like: logged at most once a minute, with how often it was
 * kept back since.
 */
export class SeldomWarning {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #message: string;
  #next: Instant | null = null;
  #withheld = 0;

  constructor(log: Logger, clock: Clock, message: string) {
    this.#log = log;
    this.#clock = clock;
    this.#message = message;
  }

  say(reason: string, more: Readonly<Record<string, string>> = {}): void {
    const now = this.#clock.now();
    if (this.#next !== null && Temporal.Instant.compare(now, this.#next) < 0) {
      this.#withheld += 1;
      return;
    }
    this.#log.warn({ ...more, reason, withheld: this.#withheld }, this.#message);
    this.#next = now.add({ seconds: PAUSE_SECONDS });
    this.#withheld = 0;
  }
}
