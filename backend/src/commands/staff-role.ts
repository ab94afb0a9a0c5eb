import { STAFF_ROLES } from '../business/core/access/scope.ts';
import { setStaffRole } from '../business/core/people/operator.ts';
import type { Command } from '../command.ts';
import { onOperator, staffRole } from './staff-account.ts';

export const command: Command = {
  name: 'staff role',
  summary: 'Give an operator another role; all their sessions end',
  usage: `--email <address> --role <${STAFF_ROLES.join('|')}>`,
  flags: { email: 'string', role: 'string' },
  async run(invocation) {
    const role = staffRole(invocation.flags);
    await onOperator(invocation, (tx, operator, now) => setStaffRole(tx, operator, role, now));
  },
};
