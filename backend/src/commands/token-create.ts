import { SCOPES } from '../business/core/access/scope.ts';
import { issueToken, newTokenSecret } from '../business/core/access/token.ts';
import { findCustomer } from '../business/core/accounts/customer.ts';
import { type Command, optional, required, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';

export const command: Command = {
  name: 'token create',
  summary: 'Make an access token for a customer; prints the token alone',
  usage: '--customer <e-mail, number or uuid> [--scope <scope>[,<scope>…]] [--name <text>] [--days <days>]',
  flags: { customer: 'string', scope: 'string', name: 'string', days: 'string' },
  async run({ config, flags, print }) {
    const name = required(flags, 'customer');
    const scopes = (optional(flags, 'scope') ?? '*').split(',').map((scope) => scope.trim());
    const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
    if (unknown.length > 0)
      throw new UsageError(`there is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}`);
    const days = optional(flags, 'days');
    if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
      throw new UsageError('--days takes a number of days');
    const installation = await openInstallation(config, 'token');
    try {
      const { writePool, clock } = installation;
      const customer = await findCustomer(writePool, name);
      if (customer === null)
        throw new UsageError(`no customer, or more than one, is ${name}: hostkeep customer list`);
      const now = clock.now();
      const secret = newTokenSecret();
      await issueToken(
        writePool,
        {
          accountId: customer.account_id,
          userId: customer.user_id,
          kind: 'api',
          name: optional(flags, 'name') ?? 'command line',
          scopes,
          expiresAt: days === undefined ? null : now.add({ hours: 24 * Number(days) }),
        },
        secret,
        now,
      );
      print(secret);
    } finally {
      await installation.close();
    }
  },
};
