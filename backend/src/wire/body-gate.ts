import { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import type { Operation } from '../operation.ts';

/** A body of at most so many bytes is read before it is known who sends it. */
export const SMALL_BODY = 64 * 1024;
/** For larger bodies that are on their way or being worked on, in one process. */
export const BODY_MEMORY = 128 * 1024 * 1024;
const RETRY_SECONDS = 5;

export interface BodyGateOptions {
  /** Of an operation's requests, in bytes. */
  readonly limitOf: (operation: Operation) => number;
  /** Refuses a request by its headers alone; false: no one is known behind it. */
  readonly admit: (request: FastifyRequest, operation: Operation) => Promise<boolean>;
  readonly memory?: number;
}

/**
 * Keeps the memory for bodies bounded. A body beyond {@link SMALL_BODY} is read only once its headers have told that its
 * sender may call the operation, and while there is memory for it: what strangers hold back costs a small body each, and
 * there are as many of these as there may be connections.
 */
export class BodyGate {
  readonly #options: BodyGateOptions;
  #free: number;

  constructor(options: BodyGateOptions) {
    this.#options = options;
    this.#free = options.memory ?? BODY_MEMORY;
  }

  /** Before the body is read; refuses the request, or gives the stream that it is read from. */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    body: NodeJS.ReadableStream,
  ): Promise<NodeJS.ReadableStream> {
    const limit = this.#options.limitOf(operation);
    const length = announcedLength(request);
    // What is too large is refused by the server itself, before it reads anything.
    if (length !== null && (length <= SMALL_BODY || length > limit)) return body;
    if (!(await this.#options.admit(request, operation))) {
      const ofStrangers = Math.min(limit, SMALL_BODY);
      if (length !== null) throw tooLarge(ofStrangers);
      return body.pipe(atMost(ofStrangers));
    }
    this.#reserve(length ?? limit, reply);
    return body;
  }

  #reserve(bytes: number, reply: FastifyReply): void {
    if (bytes > this.#free) throw new Refusal('rate_limited', { members: { retry_after: RETRY_SECONDS } });
    this.#free -= bytes;
    reply.raw.once('close', () => {
      this.#free += bytes;
    });
  }
}

/** 0 without a body; null: it comes in chunks, of which nothing is known. */
function announcedLength({ headers }: FastifyRequest): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

function atMost(limit: number): Transform {
  let read = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length;
      if (read > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
}

function tooLarge(limit: number): Refusal {
  return new Refusal('payload_too_large', { members: { limit } });
}
