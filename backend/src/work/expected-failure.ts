import { isConnectionLoss } from '../db/connection-loss.ts';
import type { Executor } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { BackendUnavailable } from '../drivers/outcome.ts';

/** As many as the delay between attempts needs to grow to its longest; further ones are given back. */
const KEPT_ATTEMPTS = 7;

const spare = statement<object>('spare_attempts', 'SELECT spare_attempts($1, $2)');

/** A command that is under way on the back end: its job comes again. */
export class StillPending extends Error {
  override readonly name = 'StillPending';
}

/** Whether a run failed for a reason that passes by itself, however long it takes. */
export function isExpected(error: unknown): boolean {
  return error instanceof StillPending || error instanceof BackendUnavailable || isConnectionLoss(error);
}

/** Gives back the attempts that a running job has used up: a failure that was expected never makes it a dead one. */
export async function spareAttempts(db: Executor, jobId: string): Promise<void> {
  await db.run(spare, [jobId, KEPT_ATTEMPTS]);
}
