import { z } from 'zod';
import { currency, money, moneyInput, uuid } from '../../api/field.ts';
import { parseWireAmount, wireAmount } from '../../base/money.ts';
import { available } from '../../business/core/accounts/account.ts';
import { setCreditLimit } from '../../business/core/accounts/standing.ts';
import { operation } from '../../operation.ts';
import { lockInto } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'staff/credit-limit',
  summary: 'Set how far a customer’s balance may go below zero',
  description:
    'Of a customer who is further below already nothing is taken: they order nothing until it is paid back. 0 means that ' +
    'everything is paid for beforehand.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({
    uuid: uuid.describe('The account.'),
    credit_limit: moneyInput.describe('In the currency of the account.'),
    reason: z.string().trim().min(1, 'This must not be empty.').max(200).describe('For operators.'),
  }),
  output: z.object({ uuid, credit_limit: money, balance: money, available: money, currency }),
  message: { en: 'The credit limit was set.', de: 'Der Kreditrahmen wurde gesetzt.' },
  errors: ['not_found', 'state_conflict'],
  example: {
    input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', credit_limit: 250, reason: 'Pays by invoice' },
  },
  async handle(tx, ctx, input) {
    const account = await lockInto(tx, ctx.uow, input.uuid);
    if (account === null) throw ctx.refusal('not_found');
    if (account.state === 'closed') {
      const members = { current_state: account.state, allowed_states: ['active', 'suspended'] };
      throw ctx.refusal('state_conflict', { members });
    }
    const limit = parseWireAmount(input.credit_limit);
    if (limit === null) throw new RangeError('the input was checked');
    const { balance, reserved, creditLimit, currency } = await setCreditLimit(tx, ctx.uow, account, limit);
    return {
      uuid: input.uuid,
      credit_limit: wireAmount(creditLimit),
      balance: wireAmount(balance),
      available: wireAmount(available({ balance, reserved, credit_limit: creditLimit })),
      currency,
    };
  },
});
