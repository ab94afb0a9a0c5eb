import type { DomainAvailability } from './port.ts';

interface Remembered {
  readonly answer: DomainAvailability;
  /** On performance.now()'s clock. */
  readonly until: number;
}

/**
 * Answers for a few seconds, in bounded memory. Two generations: when the young one is full it becomes the old
 * one, and what was old is forgotten as a whole. (Deleting entries one by one from the front of a Map leaves
 * holes that every later walk steps over.)
 */
export class AnswerMemory {
  readonly #keptMs: number;
  readonly #perGeneration: number;
  #young = new Map<string, Remembered>();
  #old: ReadonlyMap<string, Remembered> = new Map();

  /** Keeps at most `most` answers, each for `keptMs`. */
  constructor(most: number, keptMs: number) {
    this.#perGeneration = Math.ceil(most / 2);
    this.#keptMs = keptMs;
  }

  get(domain: string): DomainAvailability | null {
    const remembered = this.#young.get(domain) ?? this.#old.get(domain);
    return remembered !== undefined && remembered.until > performance.now() ? remembered.answer : null;
  }

  add(answer: DomainAvailability): void {
    if (this.#young.size >= this.#perGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(answer.domain, { answer, until: performance.now() + this.#keptMs });
  }
}
