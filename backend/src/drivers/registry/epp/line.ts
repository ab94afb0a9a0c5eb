import { BackendUnavailable } from '../../outcome.ts';
import type { EppCommand } from './command.ts';
import { EppSession } from './session.ts';
import { SessionLost, type SessionOptions } from './session-options.ts';
import type { Greeting } from './wire/greeting.ts';
import type { Vocabulary } from './wire/namespace.ts';
import type { EppResponse } from './wire/response.ts';

export interface LineOptions extends SessionOptions {
  /** The connection's name in the catalogue. */
  readonly name: string;
  /** How many sessions are kept open at most. */
  readonly sessions: number;
  readonly pause: Pause;
}

/** How long nothing is tried after a connection failed. */
export interface Pause {
  /** After the first failure; doubled with each further one. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** After a log-in that was refused: registries lock accounts that keep trying. */
  readonly rejectedMs: number;
}

export const DEFAULT_PAUSE: Pause = { firstMs: 1_000, longestMs: 60_000, rejectedMs: 300_000 };

/** Makes a command for a server that offers these. */
export type CommandFor = (offered: ReadonlySet<Vocabulary>) => EppCommand;

/** Where a session is kept. */
interface Slot {
  session: EppSession | null;
  opening: Promise<EppSession> | null;
}

/**
 * The sessions to one registry: opened when first needed, kept open, opened again after they were lost. While the
 * registry is down, commands fail at once, and only now and then one tries to connect.
 */
export class EppLine {
  readonly #options: LineOptions;
  readonly #slots: readonly Slot[];
  #failures = 0;
  #pausedUntil = 0;
  #reason: SessionLost | null = null;
  /** Those that a command was answered in: being let in is not yet being served. */
  readonly #proven = new WeakSet<EppSession>();
  readonly #closed = new AbortController();

  constructor(options: LineOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.sessions }, () => ({ session: null, opening: null }));
  }

  /**
   * The answer, whatever its code is; only 2400 and 25xx, which say that the server failed, are thrown. Throws
   * {@link BackendUnavailable} when there is none: the command may have had its effect (rule F4).
   */
  async send(commandFor: CommandFor, signal?: AbortSignal): Promise<EppResponse> {
    // Without a wait where one is idle, so that the next command finds it busy.
    const session = this.#idle() ?? (await this.#session());
    const command = commandFor(session.offered);
    let response: EppResponse;
    try {
      response = await session.command(command, signal);
    } catch (error) {
      if (!(error instanceof SessionLost)) throw error;
      throw this.#proven.has(session) ? this.#unavailable(error) : this.#pause(error);
    }
    const { code, message } = response;
    if (code >= 2500)
      throw this.#pause(new SessionLost(`${command.name}: ${code} ${message}`, { rejected: code === 2501 }));
    this.#proven.add(session);
    this.#failures = 0;
    if (code === 2400) throw this.#unavailable(new Error(`${command.name}: ${code} ${message}`));
    return response;
  }

  /** What the server says of itself. */
  async greeting(): Promise<Greeting> {
    const { greeting } = this.#idle() ?? (await this.#session());
    if (greeting === null) throw this.#unavailable(new Error('no greeting'));
    return greeting;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all(
      this.#slots.map(async ({ session, opening }) => {
        await session?.close();
        await opening?.then((opened) => opened.close()).catch(() => {});
      }),
    );
  }

  #idle(): EppSession | undefined {
    return this.#live().find(({ load }) => load === 0);
  }

  /** A further one while more may be opened, or the one with the least to do. */
  async #session(): Promise<EppSession> {
    if (this.#closed.signal.aborted) throw this.#unavailable(new Error('the connection is closed'));
    const vacant = this.#slots.find(({ session, opening }) => opening === null && (session?.ended ?? true));
    if (vacant !== undefined && !this.#isPaused()) {
      vacant.opening = this.#open(vacant);
      try {
        return await vacant.opening;
      } catch (error) {
        if (this.#live().length === 0) throw error;
      }
    }
    const [least] = this.#live().toSorted((a, b) => a.load - b.load);
    if (least !== undefined) return least;
    const opening = this.#slots.find((slot) => slot.opening !== null)?.opening;
    if (opening == null) throw this.#unavailable(this.#reason ?? new Error('there is no session'));
    return await opening;
  }

  #live(): readonly EppSession[] {
    return this.#slots.flatMap(({ session }) => (session === null || session.ended ? [] : [session]));
  }

  #isPaused(): boolean {
    return this.#reason !== null && performance.now() < this.#pausedUntil;
  }

  async #open(slot: Slot): Promise<EppSession> {
    try {
      slot.session = await EppSession.open(this.#options, this.#closed.signal);
      return slot.session;
    } catch (error) {
      throw error instanceof SessionLost ? this.#pause(error) : error;
    } finally {
      slot.opening = null;
    }
  }

  /** A part of the pause is random, so that not everybody comes back at once. */
  #pause(reason: SessionLost): BackendUnavailable {
    const { firstMs, longestMs, rejectedMs } = this.#options.pause;
    const longer = Math.min(firstMs * 2 ** this.#failures, longestMs);
    const pause = reason.rejected ? rejectedMs : longer * (0.5 + Math.random() / 2);
    this.#failures += 1;
    this.#reason = reason;
    this.#pausedUntil = performance.now() + pause;
    return this.#unavailable(reason);
  }

  #unavailable(cause: Error): BackendUnavailable {
    return new BackendUnavailable(this.#options.name, cause);
  }
}
