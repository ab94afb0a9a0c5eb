import { z } from 'zod';
import { closingFields, closingOf, closingOutput, wireClosing } from '../../api/closing.ts';
import { countCode, demandProof, secondFactorCode } from '../../api/second-factor.ts';
import { closeAccount } from '../../business/closing/close.ts';
import { planClosing } from '../../business/closing/plan.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';
import { lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { checkOwnPassword, demandPassword, ownPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/close',
  summary: 'Close your account',
  description:
    'With `dry_run` it says what that means: which services end, what is paid back and out, what is kept. The owner closes it, ' +
    'with the password. Take with you what you need before: domains by a transfer, invoices and data by ' +
    '`account/export`. Afterwards nobody logs in and every token has ended, this one, too.',
  audience: 'customer',
  scope: 'account:users',
  security: true,
  // Its token ends with it: nobody could ask again, and nobody closes an account twice.
  idempotent: false,
  input: z.strictObject({ ...closingFields, password: ownPassword, code: secondFactorCode.optional() }),
  output: closingOutput,
  message: { en: 'The account is closed.', de: 'Das Kundenkonto ist geschlossen.' },
  errors: [
    'owner_only',
    'password_invalid',
    'two_factor_required',
    'two_factor_invalid',
    'rate_limited',
    'state_conflict',
    'closing_blocked',
  ],
  secrets: ['password', 'code', 'iban'],
  example: {
    input: {
      password: 'correct horse battery staple',
      end_services: true,
      payout: { iban: 'DE89370400440532013000', account_holder: 'Ada Lovelace' },
    },
  },
  async ask(ctx, input) {
    await countCode(ctx, ctx.caller.userId, input.code);
    return await checkOwnPassword(ctx, ctx.caller.userId, input.password);
  },
  async handle(tx, ctx, input, _subject, checked) {
    const { accountId, userId } = ctx.caller;
    const { uow } = ctx;
    const account = lockedAccount(uow, accountId);
    if (account.state === 'closed') {
      const members = { current_state: account.state, allowed_states: ['active', 'suspended'] };
      throw ctx.refusal('state_conflict', { members });
    }
    const person = await lockPerson(tx, userId);
    if (person.role !== 'owner') throw ctx.refusal('owner_only');
    demandPassword(ctx, person, checked);
    demandProof(ctx, await proveSecondFactor(tx, ctx.sealer, person, input.code, uow.now));
    const closing = closingOf(input);
    const plan = await planClosing(tx, uow, ctx.catalog, account, closing);
    const shown = wireClosing(account, plan);
    if (input.dry_run) return { preview: shown };
    if (plan.obstacles.length > 0)
      throw ctx.refusal('closing_blocked', { members: { obstacles: plan.obstacles } });
    const by = { ...closing, userId, reason: '' };
    await closeAccount(tx, uow, ctx.catalog, account, plan, by);
    return shown;
  },
});
