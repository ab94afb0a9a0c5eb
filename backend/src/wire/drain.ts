import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Check } from './health.ts';

export interface DrainTiming {
  /** For requests under way to be answered, once no new connections are taken. */
  readonly answersMs: number;
  /** For requests that have not come in whole by then. */
  readonly arrivalsMs: number;
}

const TIMING: DrainTiming = { answersMs: 30_000, arrivalsMs: 1_000 };
const LOOK_MS = 50;

/**
 * The end of a server, by which no request is refused. While it drains, it says that it is not ready and closes each
 * connection with an answer, but serves whatever comes: load balancers need that time to send their requests elsewhere.
 * Only then the listener closes.
 */
export class Drain {
  readonly #timing: DrainTiming;
  #isDraining = false;
  #underWay = 0;

  constructor(timing = TIMING) {
    this.#timing = timing;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  check(): Check {
    return { name: 'draining', ok: !this.#isDraining, detail: 'the process stops' };
  }

  /** Counts what this server has to answer yet. */
  watch(server: Server): void {
    server.prependListener('request', (_request, answer) => {
      this.#underWay++;
      answer.once('close', () => {
        this.#underWay--;
      });
    });
  }

  /** Serves for so long, without being ready. */
  async drain(seconds: number): Promise<void> {
    this.#isDraining = true;
    await setTimeout(seconds * 1000);
  }

  /** Closes the listener, then each connection when nothing has to be answered on it any more. */
  async close(app: FastifyInstance, log: Logger): Promise<void> {
    this.#isDraining = true;
    const { server } = app;
    const closed = new AbortController();
    const closing = app.close().finally(() => closed.abort());
    const { answersMs, arrivalsMs } = this.#timing;
    const end = performance.now() + answersMs;
    let quietSince = performance.now();
    while (!closed.signal.aborted) {
      const now = performance.now();
      if (this.#underWay > 0 || server.listening) quietSince = now;
      if (now > end) {
        log.warn(
          { requests: this.#underWay },
          'requests were not answered in time: their connections are closed',
        );
        server.closeAllConnections();
      } else if (now - quietSince > arrivalsMs) {
        // What is left has sent nothing, or half a request.
        server.closeAllConnections();
      } else if (!server.listening) {
        server.closeIdleConnections();
      }
      await setTimeout(LOOK_MS, undefined, { signal: closed.signal }).catch(() => {});
    }
    await closing;
  }
}
