import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Sampling } from '../base/sampling.ts';
import type { Caller } from '../operation.ts';

/** What the line of a request says. No address, query, body or header: those hold secrets and persons. */
export interface AccessLine {
  readonly method: string | null;
  /** `panel/order`, or the pattern of another route; null: there is none. */
  readonly operation: string | null;
  /** null: the connection ended before the answer began. */
  readonly status: number | null;
  readonly ms: number;
  readonly request_id: string | undefined;
  readonly account_id?: string | null;
  readonly token_id?: string;
  readonly bytes: number;
  /** The client closed the connection before it had the whole answer. */
  readonly aborted?: true;
}

export interface AccessLogOptions {
  readonly log: Logger;
  readonly sampling: Sampling;
  /** What operations lie below; the rest of their address is their name. */
  readonly basePath: string;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** Asked every second by machines, which see themselves what is answered. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);
/** Names as operations have them. A secret would hold digits or capitals. */
const NAME = /^[a-z-]{1,40}\/[a-z-]{1,60}$/;

/** One line for each request at its end, by whichever part it was answered. */
export class AccessLog {
  readonly #log: Logger;
  readonly #sampling: Sampling;
  readonly #basePath: string;
  readonly #random: () => number;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();
  /** Whether there can be any line. */
  readonly isOn: boolean;

  constructor({ log, sampling, basePath, random = Math.random }: AccessLogOptions) {
    this.#log = log;
    this.#sampling = sampling;
    this.#basePath = `${basePath}/`;
    this.#random = random;
    this.isOn = (sampling.errors || sampling.share > 0) && log.isLevelEnabled('info');
  }

  /** To be called when the request arrives. */
  watch(request: FastifyRequest, reply: FastifyReply): void {
    if (!this.isOn) return;
    const arrived = performance.now();
    const { raw } = reply;
    const sentBefore = raw.socket?.bytesWritten ?? 0;
    const { socket } = request.raw;
    // It comes after the whole answer was handed to the system, and also when the connection ends before.
    raw.once('close', () => {
      const caller = this.#callers.get(request);
      const bytes = Number(reply.getHeader('content-length') ?? socket.bytesWritten - sentBefore);
      this.write({
        method: request.method,
        operation: this.#operation(request),
        status: raw.headersSent ? raw.statusCode : null,
        ms: Math.round((performance.now() - arrived) * 100) / 100,
        request_id: reply.getHeader('x-request-id')?.toString(),
        ...(caller === undefined ? {} : { account_id: caller.accountId, token_id: caller.tokenId }),
        bytes,
        ...(raw.writableFinished ? {} : { aborted: true }),
      });
    });
  }

  /** Who stands behind a request that is watched. */
  note(request: FastifyRequest, caller: Caller): void {
    if (this.isOn) this.#callers.set(request, caller);
  }

  write(line: AccessLine): void {
    if (!this.isOn) return;
    const failed = line.aborted === true || line.status === null || line.status >= 400;
    const { share, errors } = this.#sampling;
    if (failed ? !errors : share < 1 && this.#random() >= share) return;
    if (!failed && line.operation !== null && PROBES.has(line.operation)) return;
    this.#log.info(line, 'request');
  }

  /** An address without a route is told only where it cannot be more than a mistaken name. */
  #operation(request: FastifyRequest): string | null {
    const route = request.routeOptions.url;
    if (route !== undefined)
      return route.startsWith(this.#basePath) ? route.slice(this.#basePath.length) : route;
    const path = request.url.split('?')[0] ?? '';
    const name = path.startsWith(this.#basePath) ? path.slice(this.#basePath.length) : '';
    return NAME.test(name) ? name : null;
  }
}
