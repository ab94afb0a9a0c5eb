import { countCode, demandProof, secondFactorCode } from '../../api/second-factor.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';
import type { Caller, ReadContext, WriteContext } from '../../operation.ts';
import {
  type CheckedPassword,
  checkOwnPassword,
  demandPassword,
  ownPassword,
} from './own-password.schema.ts';

/**
 * What an operation takes, and how it refuses, that lets somebody in who stays: a session alone, which may be one that
 * was left open, is not enough for it.
 */
export const reauthentication = {
  password: ownPassword
    .optional()
    .describe('Your password: a session of who has no second factor needs it. API tokens do not.'),
  code: secondFactorCode.optional(),
};

export const REAUTHENTICATION_ERRORS = [
  'password_required',
  'password_invalid',
  'two_factor_required',
  'two_factor_invalid',
  'rate_limited',
] as const;

type CallerOf = { readonly caller: Pick<Caller, 'kind' | 'userId'> };
interface Given {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** Before the transaction: counts the guesses, and compares the password if one was given. */
export async function checkReauthentication(
  ctx: Pick<ReadContext, 'db' | 'now' | 'ip'> &
    CallerOf & { refusal(code: 'rate_limited', detail: RefusalDetail): Refusal },
  { password, code }: Given,
): Promise<CheckedPassword | null> {
  await countCode(ctx, ctx.caller.userId, code);
  if (ctx.caller.kind !== 'session' || password === undefined) return null;
  return await checkOwnPassword(ctx, ctx.caller.userId, password);
}

/** A session has to show the second factor, or the password where there is none; an API token was made with one. */
export async function demandReauthentication(
  tx: Parameters<typeof lockPerson>[0],
  ctx: Pick<WriteContext, 'sealer' | 'uow'> &
    CallerOf & {
      refusal(
        code: 'two_factor_required' | 'two_factor_invalid' | 'password_required' | 'password_invalid',
      ): Refusal;
    },
  { code }: Given,
  checked: CheckedPassword | null,
): Promise<void> {
  if (ctx.caller.kind !== 'session') return;
  const person = await lockPerson(tx, ctx.caller.userId);
  const proof = await proveSecondFactor(tx, ctx.sealer, person, code, ctx.uow.now);
  demandProof(ctx, proof);
  if (checked !== null) demandPassword(ctx, person, checked);
  else if (proof === 'not_enabled') throw ctx.refusal('password_required');
}
