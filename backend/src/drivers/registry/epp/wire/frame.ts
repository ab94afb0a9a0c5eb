/** What came over a connection is no frame of RFC 5734 §4; nothing that follows on it can be read. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** The length that stands before each frame counts itself. */
const HEADER = 4;

export const DEFAULT_FRAME_LIMIT = 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** A frame to send: its length in network order, then the document. */
export function encodeFrame(document: string): Buffer {
  const body = Buffer.from(document);
  const frame = Buffer.allocUnsafe(HEADER + body.length);
  frame.writeUInt32BE(frame.length);
  body.copy(frame, HEADER);
  return frame;
}

/** Cuts what arrives into documents. Never keeps more than one frame of `limit` octets. */
export class FrameReader {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: number = DEFAULT_FRAME_LIMIT) {
    this.#limit = limit;
  }

  /** Whether a frame has begun that has not ended. */
  get open(): boolean {
    return this.#size > 0;
  }

  /** The documents that these octets complete. Throws {@link FrameError}. */
  *read(chunk: Buffer): Generator<string> {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      const length = this.#announced();
      if (length === null || this.#size < length) return;
      const whole = this.#joined();
      const rest = whole.subarray(length);
      this.#parts = rest.length === 0 ? [] : [rest];
      this.#size = rest.length;
      yield text(whole.subarray(HEADER, length));
    }
  }

  #announced(): number | null {
    if (this.#size < HEADER) return null;
    const first = this.#parts[0];
    const length = (first !== undefined && first.length >= HEADER ? first : this.#joined()).readUInt32BE();
    if (length <= HEADER) throw new FrameError('a frame announces no content');
    if (length > this.#limit + HEADER)
      throw new FrameError(`a frame announces ${length} octets, and at most ${this.#limit} are read`);
    return length;
  }

  #joined(): Buffer {
    const [only] = this.#parts;
    if (only !== undefined && this.#parts.length === 1) return only;
    const joined = Buffer.concat(this.#parts, this.#size);
    this.#parts = [joined];
    return joined;
  }
}

function text(octets: Buffer): string {
  try {
    return decoder.decode(octets);
  } catch {
    throw new FrameError('a frame is not in UTF-8');
  }
}
