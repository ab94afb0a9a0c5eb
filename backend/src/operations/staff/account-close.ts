import { z } from 'zod';
import { closingFields, closingOf, closingOutput, wireClosing } from '../../api/closing.ts';
import { uuid } from '../../api/field.ts';
import { closeAccount } from '../../business/closing/close.ts';
import { planClosing } from '../../business/closing/plan.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/account-close',
  summary: 'Close a customer’s account',
  description:
    'As `account/close`. A debt is paid, or taken off by `staff/adjust-balance`, before. The customer is told by mail; nothing ' +
    'that tax law keeps is deleted.',
  audience: 'staff',
  scope: 'staff:suspend',
  input: z.strictObject({
    uuid: uuid.describe('The account.'),
    ...closingFields,
    reason: z.string().trim().min(1, 'This must not be empty.').max(1000).describe('For operators.'),
  }),
  output: closingOutput,
  message: { en: 'The account is closed.', de: 'Das Kundenkonto ist geschlossen.' },
  errors: ['not_found', 'state_conflict', 'closing_blocked'],
  secrets: ['iban'],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      reason: 'Asked for by letter',
      end_services: true,
      payout: { iban: 'DE89370400440532013000', account_holder: 'Ada Lovelace' },
    },
  },
  async handle(tx, ctx, input) {
    const { uow } = ctx;
    const account = await lockInto(tx, uow, input.uuid);
    if (account === null) throw ctx.refusal('not_found');
    if (account.state === 'closed') {
      const members = { current_state: account.state, allowed_states: ['active', 'suspended'] };
      throw ctx.refusal('state_conflict', { members });
    }
    const closing = closingOf(input);
    const plan = await planClosing(tx, uow, ctx.catalog, account, closing);
    const shown = wireClosing(account, plan);
    if (input.dry_run) return { preview: shown };
    if (plan.obstacles.length > 0)
      throw ctx.refusal('closing_blocked', { members: { obstacles: plan.obstacles } });
    const by = { ...closing, userId: ctx.caller.userId, reason: input.reason };
    await closeAccount(tx, uow, ctx.catalog, account, plan, by);
    return shown;
  },
});
