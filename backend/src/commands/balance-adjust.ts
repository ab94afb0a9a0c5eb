import { parseAmount, printAmount } from '../base/money.ts';
import { adjustBalance } from '../business/core/accounts/adjust.ts';
import { findCustomer } from '../business/core/accounts/customer.ts';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, optional, required, UsageError } from '../command.ts';
import { transaction } from '../db/transaction.ts';
import { openInstallation } from '../installation.ts';

export const command: Command = {
  name: 'balance adjust',
  summary: 'Give a customer money or take it; prints the new balance',
  usage: '--customer <e-mail, number or uuid> --amount <±amount> --reason <text> [--paid-by <method>]',
  flags: { customer: 'string', amount: 'string', reason: 'string', 'paid-by': 'string' },
  async run({ config, flags, print }) {
    const name = required(flags, 'customer');
    const amount = parseAmount(required(flags, 'amount'));
    if (amount === null || amount === 0n)
      throw new UsageError('--amount takes an amount such as 50.00 or -3.20, not zero');
    const reason = required(flags, 'reason');
    const paidBy = optional(flags, 'paid-by');
    if (paidBy !== undefined && !/^[a-z][a-z0-9_-]{0,31}$/.test(paidBy)) {
      throw new UsageError('--paid-by takes a word such as bank or card');
    }
    const installation = await openInstallation(config, 'balance');
    try {
      const { writePool, clock } = installation;
      const customer = await findCustomer(writePool, name);
      if (customer === null)
        throw new UsageError(`no customer, or more than one, is ${name}: hostkeep customer list`);
      const { content } = await new CatalogStore(writePool).newest(writePool);
      const outcome = await transaction(writePool, (tx) =>
        adjustBalance(
          tx,
          customer.account_id,
          { amount, reason, ...(paidBy === undefined ? {} : { paidBy }) },
          clock.now(),
        ),
      );
      if (outcome.kind === 'not_found') throw new UsageError(`${name} has no account`);
      print(printAmount(outcome.balance, content.currency));
    } finally {
      await installation.close();
    }
  },
};
