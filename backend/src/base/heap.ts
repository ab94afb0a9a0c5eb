/** A priority queue: always gives the item of the smallest key (ties in no particular order). */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #key: (item: T) => number;

  constructor(items: Iterable<T>, key: (item: T) => number) {
    this.#key = key;
    for (const item of items) this.push(item);
  }

  /** O(log n). */
  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#keyAt(parent) <= this.#key(item)) break;
      items[at] = items[parent] as T;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the smallest; undefined when there is none. O(log n). */
  pop(): T | undefined {
    const items = this.#items;
    const smallest = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return smallest;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= items.length) break;
      const child = this.#keyAt(left + 1) < this.#keyAt(left) ? left + 1 : left;
      if (this.#keyAt(child) >= this.#key(last)) break;
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = last;
    return smallest;
  }

  #keyAt(index: number): number {
    return index < this.#items.length ? this.#key(this.#items[index] as T) : Number.POSITIVE_INFINITY;
  }
}
