import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { ACCOUNT_SUSPENSION_REASONS, suspendAccount } from '../../business/core/accounts/standing.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/account-suspend',
  summary: 'Suspend a customer',
  description:
    'They can log in, read and write to support, but order, renew and redeem nothing (`account_suspended`). Services run on ' +
    'to the end of the terms that are paid for; `staff/suspend` switches one off at once. The customer is told the ' +
    'reason by mail. Suspending again changes the reason and the note.',
  audience: 'staff',
  scope: 'staff:suspend',
  input: z.strictObject({
    uuid: uuid.describe('The account.'),
    reason: z.enum(ACCOUNT_SUSPENSION_REASONS),
    note: z.string().trim().max(1000).default('').describe('For operators.'),
  }),
  output: z.object({ uuid, state: z.literal('suspended'), reason: z.enum(ACCOUNT_SUSPENSION_REASONS) }),
  message: { en: 'The customer is suspended.', de: 'Der Kunde ist gesperrt.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'abuse', note: 'Ticket 4711' } },
  async handle(tx, ctx, { uuid, reason, note }) {
    const account = await lockInto(tx, ctx.uow, uuid);
    if (account === null) throw ctx.refusal('not_found');
    if (account.state === 'closed') {
      const members = { current_state: account.state, allowed_states: ['active', 'suspended'] };
      throw ctx.refusal('state_conflict', { members });
    }
    await suspendAccount(tx, ctx.uow, account, { reason, note });
    return { uuid, state: 'suspended' as const, reason };
  },
});
