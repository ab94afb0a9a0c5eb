import type { Logger } from 'pino';
import type { Installation } from './installation.ts';
import { callingJob, type KnownJob, noteFault } from './work/job-fault.ts';

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
  /** The job that the error came from; null: none, or it was a signal. */
  readonly fault: { readonly job: KnownJob; readonly error: string } | null;
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
        resolve({ reason: signal, isFault: false, fault: null });
      });
    }
    process.on('uncaughtException', (error, origin) => {
      // It is called where the error came from, also in a callback of a socket that a job opened.
      const job = callingJob();
      log.fatal(
        { err: error, origin, ...(job !== null && { job: job.name, job_key: job.key }) },
        'nothing caught this: the process stops',
      );
      log.flush();
      if (process.exitCode === 1) return;
      process.exitCode = 1;
      setTimeout(() => process.exit(1), drainMs).unref();
      const fault = job === null ? null : { job, error: String(error) };
      resolve({ reason: 'an error that nothing caught', isFault: true, fault });
    });
  });
}

/** Notes which job ends the process, so that none does it a third time. */
export async function noteFaultOf({ fault }: Stop, { jobPool, clock, log }: Installation): Promise<void> {
  if (fault === null) return;
  try {
    const times = await noteFault(jobPool, fault.job, fault.error, clock.now());
    if (times >= 2)
      log.error(
        { job: fault.job.name, job_key: fault.job.key },
        'a job is set aside: it ended its process twice',
      );
  } catch (error) {
    log.error({ err: error }, 'it was not noted which job ended the process');
  }
}

/** A job that was given up may still hold connections, and go on: others have taken it up by then. */
export function endSoon(): void {
  setTimeout(() => process.exit(), END_MS).unref();
}
