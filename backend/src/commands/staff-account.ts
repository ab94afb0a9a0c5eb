import type { Instant } from '../base/time.ts';
import { STAFF_ROLES, type StaffRole } from '../business/core/access/scope.ts';
import { lockOperator, type Operator } from '../business/core/people/operator.ts';
import { type Invocation, required, UsageError } from '../command.ts';
import { type Transaction, transaction } from '../db/transaction.ts';
import { openInstallation } from '../installation.ts';

/** The role that `--role` names. */
export function staffRole(flags: Invocation['flags']): StaffRole {
  const given = required(flags, 'role');
  const role = STAFF_ROLES.find((one) => one === given);
  if (role === undefined) throw new UsageError(`--role takes one of ${STAFF_ROLES.join(', ')}`);
  return role;
}

/** Does something to the operator whom `--email` names, with the row locked. */
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
