import { parseAmount } from '../base/money.ts';
import { hashPassword } from '../business/core/access/password.ts';
import { adjustBalance } from '../business/core/accounts/adjust.ts';
import { createCustomer } from '../business/core/accounts/customer.ts';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, optional, required, UsageError } from '../command.ts';
import { transaction } from '../db/transaction.ts';
import { openInstallation } from '../installation.ts';

export const command: Command = {
  name: 'customer create',
  summary: 'Open an account; prints its uuid',
  usage:
    '--email <address> [--first-name <text>] [--last-name <text>] [--locale en|de] [--balance <amount>] [--password-stdin]',
  flags: {
    email: 'string',
    'first-name': 'string',
    'last-name': 'string',
    locale: 'string',
    balance: 'string',
    'password-stdin': 'boolean',
  },
  async run({ config, flags, print }) {
    const email = required(flags, 'email').toLowerCase();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UsageError('--email takes an e-mail address');
    const locale = optional(flags, 'locale') ?? 'en';
    if (locale !== 'en' && locale !== 'de') throw new UsageError('--locale takes en or de');
    const balance = parseAmount(optional(flags, 'balance') ?? '0');
    if (balance === null || balance < 0n) throw new UsageError('--balance takes an amount such as 100.00');
    // A password on the command line would be seen by every user of the machine.
    const password = flags['password-stdin'] === true ? await lineOfStandardInput() : null;
    const installation = await openInstallation(config, 'customer');
    try {
      const { writePool, clock } = installation;
      const { content } = await new CatalogStore(writePool).newest(writePool);
      const passwordHash = password === null ? null : await hashPassword(password);
      const now = clock.now();
      const created = await transaction(writePool, async (tx) => {
        const outcome = await createCustomer(
          tx,
          {
            email,
            passwordHash,
            firstName: optional(flags, 'first-name') ?? '',
            lastName: optional(flags, 'last-name') ?? '',
            locale,
            timezone: 'UTC',
            currency: content.currency,
          },
          now,
        );
        if (outcome.kind === 'created' && balance > 0n) {
          await adjustBalance(tx, outcome.accountId, { amount: balance, reason: 'Opening balance' }, now);
        }
        return outcome;
      });
      if (created.kind === 'exists') throw new UsageError(`${email} belongs to someone already`);
      print(created.accountId);
    } finally {
      await installation.close();
    }
  },
};

async function lineOfStandardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  const line = text.replace(/\r?\n$/, '');
  if (line.length < 12 || line.length > 128) throw new UsageError('the password needs 12 to 128 characters');
  return line;
}
