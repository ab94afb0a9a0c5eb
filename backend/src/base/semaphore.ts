/** There are too many waiting already. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * Lets at most `slots` pieces of work run at once; up to `queue` more wait for their turn, in order of arrival.
 * Beyond that, {@link run} throws {@link Overloaded} at once.
 */
export class Semaphore {
  readonly #queue: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(slots: number, queue: number) {
    this.#free = slots;
    this.#queue = queue;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#queue) throw new Overloaded(`${this.#queue} wait already`);
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A slot is handed over, not freed, so that nobody who comes now overtakes who waits.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
