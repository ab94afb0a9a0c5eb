import { isMailAddress } from '../base/mail-address.ts';
import { STAFF_ROLES } from '../business/core/access/scope.ts';
import { createStaff } from '../business/core/accounts/customer.ts';
import { passwordLink } from '../business/core/people/operator.ts';
import { type Command, required, UsageError } from '../command.ts';
import { transaction } from '../db/transaction.ts';
import { openInstallation } from '../installation.ts';
import { staffRole } from './staff-account.ts';
import { LINK_ADVICE, ownAddress } from './staff-link.ts';

export const command: Command = {
  name: 'staff create',
  summary: 'Add an operator; prints a link by which they set a password',
  usage: `--email <address> --name <first and last name> --role <${STAFF_ROLES.join('|')}>`,
  flags: { email: 'string', name: 'string', role: 'string' },
  async run({ config, flags, print, tell }) {
    const email = required(flags, 'email').toLowerCase();
    if (!isMailAddress(email)) throw new UsageError('--email takes an e-mail address');
    const [firstName = '', ...others] = required(flags, 'name').trim().split(/\s+/);
    const lastName = others.join(' ');
    if (firstName.length > 64 || lastName.length > 64) throw new UsageError('--name takes a shorter name');
    const person = { email, passwordHash: null, firstName, lastName, staffRole: staffRole(flags) };
    const installation = await openInstallation(config, 'staff');
    try {
      const { writePool, clock } = installation;
      const now = clock.now();
      const link = await transaction(writePool, async (tx) => {
        const created = await createStaff(tx, { ...person, locale: 'en', timezone: 'UTC' }, now);
        if (created.kind === 'exists') return null;
        const { userId: id } = created;
        return await passwordLink(tx, { id, email: person.email }, { publicUrl: ownAddress(config), now });
      });
      if (link === null) throw new UsageError(`${person.email} belongs to someone already`);
      print(link);
      tell(LINK_ADVICE);
    } finally {
      await installation.close();
    }
  },
};
