import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import { isConnectionLoss } from './connection-loss.ts';
import type { Executor } from './pool.ts';
import { statement } from './statement.ts';

const MEASURE_MS = 10_000;
/** From here on a difference is a wrong clock rather than a slow answer. */
const WRONG_MS = 2_000;
const ATTEMPTS = 3;
const PAUSE_MS = 500;

const read = statement<{ ms: bigint }>(
  'read_database_clock',
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
);

/**
 * The database's clock, read without asking it: what it showed when it was last asked, and the time since then as this
 * machine's monotonic clock counts it. All processes of an installation so have one time, and none is led astray when
 * the clock of its machine jumps. It is asked every ten seconds, so that differences in pace do not add up; a server
 * that took over another's place, and whose clock differs, is followed, and the log says so.
 */
export class DatabaseClock implements Clock {
  readonly #db: Executor;
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  readonly #monotonic: () => number;
  #timer: NodeJS.Timeout | undefined;
  /** What the database's clock shows at zero of the monotonic one; NaN before it was asked. */
  #origin = Number.NaN;
  #last = 0;

  constructor(
    db: Executor,
    log: Pick<Logger, 'error' | 'warn'>,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#db = db;
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** Asks for the first time, and again as long as the database is away and `waits`; from then on the clock can be read. */
  async start(waits = false): Promise<this> {
    for (;;) {
      try {
        await this.measure();
        break;
      } catch (error) {
        if (!waits || !isConnectionLoss(error)) throw error;
        await setTimeout(PAUSE_MS);
      }
    }
    this.#timer = setInterval(() => {
      // While the database is away nothing is written either; it is asked again.
      this.measure().catch(() => {});
    }, MEASURE_MS).unref();
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whole milliseconds, never before one that was told earlier, unless the database's own clock was put back. */
  now(): Temporal.Instant {
    if (Number.isNaN(this.#origin)) throw new Error('the clock has not been started');
    const ms = Math.floor(this.#origin + this.#monotonic());
    this.#last = ms < this.#last && this.#last - ms < WRONG_MS ? this.#last : ms;
    return Temporal.Instant.fromEpochMilliseconds(this.#last);
  }

  /** By how many milliseconds the clock of this machine is ahead of the database's. */
  machineAhead(): number {
    return Date.now() - (this.#origin + this.#monotonic());
  }

  /** Of some answers the quickest: it says most closely when the clock was read. */
  async measure(): Promise<void> {
    let best = { took: Number.POSITIVE_INFINITY, origin: Number.NaN };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const sent = this.#monotonic();
      const [row] = await this.#db.run(read, []);
      const took = this.#monotonic() - sent;
      if (row !== undefined && took < best.took) best = { took, origin: Number(row.ms) - (sent + took / 2) };
    }
    const by = best.origin - this.#origin;
    if (Math.abs(by) > WRONG_MS + best.took)
      this.#log.error(
        { by_ms: Math.round(by) },
        "the database's clock jumped: its new time counts from now on",
      );
    this.#origin = best.origin;
    const ahead = this.machineAhead();
    if (Math.abs(ahead) > WRONG_MS + best.took)
      this.#log.warn(
        { ahead_ms: Math.round(ahead) },
        "the clock of this machine differs from the database's, which counts: set it right",
      );
  }
}
