import type { Instant } from '../base/time.ts';
import { lockOperator, type Operator } from '../business/core/people/operator.ts';
import { type Invocation, required, UsageError } from '../command.ts';
import { type Transaction, transaction } from '../db/transaction.ts';
import { openInstallation } from '../installation.ts';

/** Does something to the operator whom `--email` names, with his row locked. */
export async function onOperator<T>(
  { config, flags }: Pick<Invocation, 'config' | 'flags'>,
  work: (tx: Transaction, operator: Operator, now: Instant) => Promise<T>,
): Promise<T> {
  const email = required(flags, 'email').toLowerCase();
  const installation = await openInstallation(config, 'staff');
  try {
    const { writePool, clock } = installation;
    return await transaction(writePool, async (tx) => {
      const operator = await lockOperator(tx, email);
      if (operator === null) throw new UsageError(`no operator is ${email}: hostkeep staff list`);
      return await work(tx, operator, clock.now());
    });
  } finally {
    await installation.close();
  }
}
