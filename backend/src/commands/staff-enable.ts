import { setOperatorState } from '../business/core/people/operator.ts';
import type { Command } from '../command.ts';
import { onOperator } from './staff-account.ts';

export const command: Command = {
  name: 'staff enable',
  summary: 'Let an operator in again who was disabled',
  usage: '--email <address>',
  flags: { email: 'string' },
  async run(invocation) {
    await onOperator(invocation, (tx, operator, now) => setOperatorState(tx, operator, 'active', now));
  },
};
