/** A back end has as many commands of this process as it may: the job is not run now. */
export class BackendBusy extends Error {
  override readonly name = 'BackendBusy';
  readonly backend: string;

  constructor(backend: string) {
    super(`${backend} has as many commands as it may at once`);
    this.backend = backend;
  }
}

/**
 * How many commands a process has at once for one back end. A back end that is slow, or hangs, takes so many workers and
 * leaves the others to the rest.
 */
export class BackendSlots {
  readonly #limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes one; the function gives it back, and is to be called once. Throws BackendBusy when none is left. */
  take(backend: string): () => void {
    const taken = this.#taken.get(backend) ?? 0;
    if (taken >= this.#limit) throw new BackendBusy(backend);
    this.#taken.set(backend, taken + 1);
    return () => {
      const left = (this.#taken.get(backend) ?? 0) - 1;
      if (left > 0) this.#taken.set(backend, left);
      else this.#taken.delete(backend);
    };
  }

  /** Back ends whose jobs need not be taken now. */
  full(): string[] {
    return [...this.#taken].filter(([, taken]) => taken >= this.#limit).map(([backend]) => backend);
  }
}
