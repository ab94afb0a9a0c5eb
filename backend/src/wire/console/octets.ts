/** Octets that come in pieces and are taken in other pieces, as long as two sides agree on how they speak. */
export class Octets {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #failure: Error | null = null;
  #arrived = Promise.withResolvers<void>();

  /** More than `limit` octets that nobody has taken are a failure. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > this.#limit) this.fail(new Error('more was sent than was asked for'));
    this.#awake();
  }

  /** Nothing comes any more; what is here already can still be taken. */
  fail(failure: Error): void {
    this.#failure ??= failure;
    this.#awake();
  }

  /** The next octets, so many; rejects when they will not come. */
  async take(count: number): Promise<Buffer> {
    while (this.#length < count) {
      if (this.#failure !== null) throw this.#failure;
      await this.#arrived.promise;
    }
    const taken: Buffer[] = [];
    let left = count;
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      taken.push(piece.subarray(0, left));
      if (piece.length > left) this.#pieces.unshift(piece.subarray(left));
      left -= Math.min(left, piece.length);
      if (left === 0) break;
    }
    this.#length -= count;
    return joined(taken);
  }

  /** Whatever else came. */
  rest(): Buffer {
    const rest = joined(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return rest;
  }

  #awake(): void {
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first, ...others] = pieces;
  return first !== undefined && others.length === 0 ? first : Buffer.concat(pieces);
}
