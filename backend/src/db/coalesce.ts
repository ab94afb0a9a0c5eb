/**
 * Reads that arrive together are answered by one statement: those of one turn of the event loop, and, since at
 * most `lanes` statements are under way, those that came while they waited for a free lane. Nothing waits on a
 * timer, so a lone read leaves at once. A read never joins a statement that was already sent.
 */
export class CoalescedRead<Key, Value> {
  readonly #lanes: number;
  readonly #limit: number;
  readonly #answer: (keys: readonly Key[]) => Promise<readonly Value[]>;
  #waiting: { key: Key; resolve: (value: Value) => void; reject: (reason: unknown) => void }[] = [];
  #underWay = 0;
  #leaving = false;

  /** `answer` returns one value per key, in the keys' order. */
  constructor(
    answer: (keys: readonly Key[]) => Promise<readonly Value[]>,
    { lanes = 2, limit = 128 }: { lanes?: number; limit?: number } = {},
  ) {
    this.#answer = answer;
    this.#lanes = lanes;
    this.#limit = limit;
  }

  get(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#leaveSoon();
    });
  }

  /** At the end of this turn, when everything that the network brought has arrived. */
  #leaveSoon(): void {
    if (this.#leaving || this.#underWay >= this.#lanes) return;
    this.#leaving = true;
    setImmediate(() => {
      this.#leaving = false;
      this.#leave();
    });
  }

  #leave(): void {
    if (this.#underWay >= this.#lanes || this.#waiting.length === 0) return;
    const group = this.#waiting.splice(0, this.#limit);
    this.#underWay += 1;
    this.#answer(group.map((item) => item.key))
      .then(
        (values) => {
          for (const [index, item] of group.entries()) item.resolve(values[index] as Value);
        },
        (error) => {
          for (const item of group) item.reject(error);
        },
      )
      .finally(() => {
        this.#underWay -= 1;
        if (this.#waiting.length > 0) this.#leaveSoon();
      });
    if (this.#waiting.length > 0) this.#leaveSoon();
  }
}
