import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { unsuspendAccount } from '../../business/core/accounts/standing.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/account-unsuspend',
  summary: 'Let a suspended customer order again',
  description:
    'Services that are suspended themselves stay so until `staff/unsuspend`. Changes nothing of an active customer.',
  audience: 'staff',
  scope: 'staff:suspend',
  input: z.strictObject({ uuid: uuid.describe('The account.') }),
  output: z.object({ uuid, state: z.literal('active') }),
  message: { en: 'The customer is active.', de: 'Der Kunde ist freigegeben.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, { uuid }) {
    const account = await lockInto(tx, ctx.uow, uuid);
    if (account === null) throw ctx.refusal('not_found');
    if (account.state === 'closed') {
      const members = { current_state: account.state, allowed_states: ['suspended', 'active'] };
      throw ctx.refusal('state_conflict', { members });
    }
    await unsuspendAccount(tx, ctx.uow, account);
    return { uuid, state: 'active' as const };
  },
});
