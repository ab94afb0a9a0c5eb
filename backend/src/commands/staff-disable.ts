import { setOperatorState } from '../business/core/people/operator.ts';
import type { Command } from '../command.ts';
import { onOperator } from './staff-account.ts';

export const command: Command = {
  name: 'staff disable',
  summary: 'Shut an operator out at once, with all their sessions',
  usage: '--email <address>',
  flags: { email: 'string' },
  async run(invocation) {
    await onOperator(invocation, (tx, operator, now) => setOperatorState(tx, operator, 'disabled', now));
  },
};
