import type { Clock } from '../../base/clock.ts';
import type { WhoisDirectory, WhoisQuestion, WhoisRecord, WhoisSource } from './port.ts';

const KEPT = { minutes: 15 };
const MOST_KEPT = 500;
/** Longer ones are asked for again: all that is kept must stay small. */
const LONGEST_KEPT = 32 * 1024;

/**
 * Answers for a quarter of an hour: registries count and limit who asks, and people ask again. Questions that come
 * while the same one is under way wait for its answer. Failures are not kept. In this process only, and bounded.
 */
export class RememberedWhois implements WhoisDirectory {
  readonly #directory: WhoisDirectory;
  readonly #clock: Clock;
  /** In the order of their coming. */
  readonly #kept = new Map<string, WhoisRecord>();
  readonly #asking = new Map<string, Promise<WhoisRecord>>();

  constructor(directory: WhoisDirectory, { clock }: { clock: Clock }) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async lookup(question: WhoisQuestion, source: WhoisSource, deadlineMs: number): Promise<WhoisRecord> {
    const key = `${source} ${JSON.stringify(question)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#isFresh(kept)) return { ...kept, cached: true };
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = this.#ask(key, question, source, deadlineMs).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return await asking;
  }

  #isFresh({ fetchedAt }: WhoisRecord): boolean {
    return Temporal.Instant.compare(this.#clock.now(), fetchedAt.add(KEPT)) < 0;
  }

  async #ask(
    key: string,
    question: WhoisQuestion,
    source: WhoisSource,
    deadlineMs: number,
  ): Promise<WhoisRecord> {
    const record = await this.#directory.lookup(question, source, deadlineMs);
    if (record.raw.length > LONGEST_KEPT) return record;
    this.#kept.delete(key);
    this.#kept.set(key, record);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return record;
  }
}
