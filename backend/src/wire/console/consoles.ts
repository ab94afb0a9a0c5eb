import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { EndReason } from '../../business/servers/consoles/console-state.ts';
import {
  type Beginning,
  beginSession,
  type ConsoleSession,
} from '../../business/servers/consoles/session.ts';
import { endingSessions, endSession, seeSessions } from '../../business/servers/consoles/supervision.ts';
import type { Pool } from '../../db/pool.ts';
import { startTicker } from '../../work/ticker.ts';
import { CarriedConsole, type Screens } from './carried-console.ts';

export interface ConsolesOptions {
  readonly pool: Pool;
  readonly hypervisor: Screens;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hears how many there are, whenever that changes. */
  readonly observe?: (open: number) => void;
  readonly timing?: ConsoleTiming;
}

/** In milliseconds. */
export interface ConsoleTiming {
  /** Between questions whether consoles may go on. */
  readonly checkMs: number;
  /** Between words to the books that they do. */
  readonly seeMs: number;
  /** Between questions whether viewers are there. */
  readonly askMs: number;
  /** Without an answer of the books for so long, nothing goes on. */
  readonly unsupervisedMs: number;
}

const TIMING: ConsoleTiming = { checkMs: 1_000, seeMs: 10_000, askMs: 20_000, unsupervisedMs: 30_000 };

/**
 * The consoles that this process carries. Tickets and sessions are in the database, so that it does not matter which
 * process gave a ticket; each process asks for all of its sessions at once, every second, which of them may not go on.
 */
export class Consoles {
  readonly #options: ConsolesOptions;
  readonly #timing: ConsoleTiming;
  readonly #carried = new Map<string, CarriedConsole>();
  readonly #endings = new Set<Promise<void>>();
  readonly #tickers: readonly { stop(): Promise<void> }[];
  #checkedAt = performance.now();
  #isClosing = false;

  constructor(options: ConsolesOptions) {
    this.#options = options;
    this.#timing = options.timing ?? TIMING;
    const { checkMs, seeMs, askMs } = this.#timing;
    this.#tickers = [
      startTicker({ everyMs: checkMs, atOnce: 1, run: () => this.#check() }),
      startTicker({ everyMs: seeMs, atOnce: 1, run: () => this.#see() }),
      startTicker({ everyMs: askMs, atOnce: 1, run: async () => this.#ask() }),
    ];
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Takes a ticket. What comes of it has to be carried, or given up. */
  async begin(ticket: string, ip: string): Promise<Beginning> {
    const { pool, clock } = this.#options;
    return await beginSession(pool, { id: randomUUIDv7(), ticket, ip }, clock.now());
  }

  /** Carries a session until it ends. */
  carry(session: ConsoleSession, viewer: WebSocket): void {
    const { hypervisor, log } = this.#options;
    const onFault = (err: unknown) =>
      log.warn({ err, server: session.machine.serverId }, 'a console could not be opened');
    const carried = new CarriedConsole({ session, viewer, hypervisor, onFault });
    if (this.#carried.size === 0) this.#checkedAt = performance.now();
    this.#carried.set(session.id, carried);
    this.#options.observe?.(this.#carried.size);
    this.#follow(this.#untilEnded(carried));
    if (this.#isClosing) carried.end('restart');
    else void carried.begin();
  }

  /** Ends a session whose viewer was gone before it was carried. */
  giveUp(session: ConsoleSession): void {
    this.#follow(this.#ended(session, 'closed', { fromMachine: 0, toMachine: 0 }));
  }

  /** Ends all of them, and waits until that is in the books. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const carried of this.#carried.values()) carried.end('restart');
    await Promise.all(this.#tickers.map((ticker) => ticker.stop()));
    await Promise.all(this.#endings);
  }

  #follow(ending: Promise<void>): void {
    const followed = ending.finally(() => this.#endings.delete(followed));
    this.#endings.add(followed);
  }

  async #untilEnded(carried: CarriedConsole): Promise<void> {
    const reason = await carried.ended;
    this.#carried.delete(carried.session.id);
    this.#options.observe?.(this.#carried.size);
    await this.#ended(carried.session, reason, carried.passed);
  }

  async #ended(session: ConsoleSession, reason: EndReason, bytes: CarriedConsole['passed']): Promise<void> {
    const { pool, clock, log } = this.#options;
    // Otherwise it is found to be silent.
    await endSession(pool, session.id, { reason, bytes }, clock.now()).catch((err) =>
      log.warn({ err, session: session.id }, 'the end of a console could not be kept'),
    );
  }

  async #check(): Promise<void> {
    if (this.#carried.size === 0) return;
    const { pool, clock, log } = this.#options;
    const sentAt = performance.now();
    try {
      const ending = await endingSessions(pool, [...this.#carried.keys()], clock.now());
      this.#checkedAt = sentAt;
      for (const { id, reason } of ending) this.#carried.get(id)?.end(reason);
    } catch (err) {
      log.warn({ err }, 'nobody could say whether consoles may go on');
      if (performance.now() - this.#checkedAt < this.#timing.unsupervisedMs) return;
      for (const carried of this.#carried.values()) carried.end('unsupervised');
    }
  }

  async #see(): Promise<void> {
    if (this.#carried.size === 0) return;
    const { pool, clock, log } = this.#options;
    const sessions = [...this.#carried.values()].map(({ session, passed }) => ({
      id: session.id,
      bytes: passed,
    }));
    await seeSessions(pool, sessions, clock.now()).catch((err) =>
      log.warn({ err }, 'consoles could not be reported'),
    );
  }

  #ask(): void {
    for (const carried of this.#carried.values()) carried.ask();
  }
}
