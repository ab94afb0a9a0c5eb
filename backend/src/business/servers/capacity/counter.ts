import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** What is numbered, so that a back end does each once, however often it is told. */
export type Counter = 'generations' | 'reboots' | 'password_revision';

const next = (counter: Counter) =>
  statement<{ number: number }>(
    `next_of_${counter}`,
    `UPDATE servers SET ${counter} = ${counter} + 1 WHERE id = $1 RETURNING ${counter} AS number`,
  );
const COUNTERS = {
  generations: next('generations'),
  reboots: next('reboots'),
  password_revision: next('password_revision'),
} as const satisfies Record<Counter, unknown>;

/** The next number of a server's. It is spent, whatever becomes of the work that it is for. */
export async function takeNumber(tx: Transaction, serverId: string, counter: Counter): Promise<number> {
  const [row] = await tx.run(COUNTERS[counter], [serverId]);
  if (row === undefined) throw new Error(`server ${serverId} is not there`);
  return row.number;
}
