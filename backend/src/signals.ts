import type { Logger } from 'pino';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** For what runs to finish, after something that nothing caught. */
const DRAIN_MS = 30_000;
/** For connections and the database server to close, after everything was stopped. */
const END_MS = 15_000;

export interface Stop {
  /** For people. */
  readonly reason: string;
  /** An error that nothing caught: the state of the process is unknown. */
  readonly isFault: boolean;
}

/**
 * Resolves with what asks the process to stop: a signal, or an error that nothing caught. That is logged with its
 * stack, makes the exit status 1, and limits the time to stop in, since what it broke off may never end. A second
 * signal, whichever, ends the process at once.
 */
export function untilStopped(log: Logger, drainMs = DRAIN_MS): Promise<Stop> {
  return new Promise((resolve) => {
    let signalled = false;
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (signalled) process.exit(130);
        signalled = true;
        resolve({ reason: signal, isFault: false });
      });
    }
    process.on('uncaughtException', (error, origin) => {
      log.fatal({ err: error, origin }, 'nothing caught this: the process stops');
      log.flush();
      if (process.exitCode === 1) return;
      process.exitCode = 1;
      setTimeout(() => process.exit(1), drainMs).unref();
      resolve({ reason: 'an error that nothing caught', isFault: true });
    });
  });
}

/** A job that was given up may still hold connections, and go on: others have taken it up by then. */
export function endSoon(): void {
  setTimeout(() => process.exit(), END_MS).unref();
}
