interface Asker {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MOST_WAIT_MS = 15_000;

/**
 * One reload for each batch of changes. Whoever asks waits for a reload that begins after they asked. It begins when
 * every plan that is under way waits for it, or has no need of it any more; at the latest after a quarter of a minute,
 * so that a plan which takes long holds nobody up for longer.
 */
export class Reloader {
  readonly #reload: () => Promise<void>;
  readonly #mostWaitMs: number;
  #waiting: Asker[] = [];
  #underWay = 0;
  #reloading = false;
  #late: NodeJS.Timeout | undefined;
  /** How many there were. */
  count = 0;

  constructor(reload: () => Promise<void>, mostWaitMs = MOST_WAIT_MS) {
    this.#reload = reload;
    this.#mostWaitMs = mostWaitMs;
  }

  /** Runs a plan that may ask: the reload that others wait for is held back for it. */
  async during<T>(plan: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await plan();
    } finally {
      this.#underWay -= 1;
      this.#consider();
    }
  }

  ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#consider();
    });
  }

  #consider(): void {
    if (this.#reloading || this.#waiting.length === 0) return;
    if (this.#waiting.length >= this.#underWay) this.#begin();
    else this.#late ??= setTimeout(() => this.#begin(), this.#mostWaitMs);
  }

  #begin(): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    if (this.#reloading) return;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#reloading = true;
    this.count += 1;
    void this.#reload()
      .then(
        () => {
          for (const { resolve } of batch) resolve();
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      )
      .finally(() => {
        this.#reloading = false;
        this.#consider();
      });
  }
}
