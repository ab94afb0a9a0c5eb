import { passwordLink } from '../business/core/people/operator.ts';
import { dropSecondFactor } from '../business/core/people/second-factor.ts';
import type { Command } from '../command.ts';
import type { Config } from '../config.ts';
import { onOperator } from './staff-account.ts';

/** Said to people beside such a link. */
export const LINK_ADVICE =
  'The link is good once, for an hour. Programs: POST account/password-reset-confirm takes what follows # as token, ' +
  'with new_password.';

/** Where people reach the installation, as far as that is known while it may not be running. */
export function ownAddress({ publicUrl, port }: Config): string {
  return publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${port}`;
}

export const command: Command = {
  name: 'staff link',
  summary: 'Print a new link by which an operator sets their password',
  usage: '--email <address> [--drop-second-factor]',
  flags: { email: 'string', 'drop-second-factor': 'boolean' },
  async run(invocation) {
    const publicUrl = ownAddress(invocation.config);
    const link = await onOperator(invocation, async (tx, operator, now) => {
      // They are asked for it before they can set a password: who has lost it is let in from here alone.
      if (invocation.flags['drop-second-factor'] === true) await dropSecondFactor(tx, operator.id);
      return await passwordLink(tx, operator, { publicUrl, now });
    });
    invocation.print(link);
    invocation.tell(LINK_ADVICE);
  },
};
