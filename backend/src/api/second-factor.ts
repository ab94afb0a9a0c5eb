import { z } from 'zod';
import { LIMITS } from '../business/core/access/limits.ts';
import { lockPerson } from '../business/core/people/person.ts';
import { proveSecondFactor, type SecondFactorProof } from '../business/core/people/second-factor.ts';
import type { Concerned, Refusal, RefusalDetail } from '../errors.ts';
import type { Caller, ReadContext, WriteContext } from '../operation.ts';
import { countAttempt } from './attempt.ts';

/** What an operation takes that asks for the second factor of who has one. */
export const secondFactorCode = z
  .string()
  .trim()
  .min(6, 'Six digits, or a recovery code.')
  .max(32, 'Six digits, or a recovery code.')
  .describe('Six digits of the authenticator app, or a recovery code.');

export const recoveryCodes = z.array(z.string()).describe('Each is good once, in place of a code.');

/** Counts a guess, before the transaction in which it is checked (rule A10). */
export async function countCode(
  ctx: Pick<ReadContext, 'db' | 'now' | 'ip'> & {
    refusal(code: 'rate_limited', detail: RefusalDetail): Refusal;
  },
  userId: string,
  code: string | undefined,
  device: string | null = null,
): Promise<void> {
  if (code === undefined) return;
  await countAttempt(ctx, LIMITS.code(userId, ctx.ip, device));
}

/** Refuses what the second factor was asked for and not given. */
export function demandProof(
  ctx: { refusal(code: 'two_factor_required' | 'two_factor_invalid', detail?: RefusalDetail): Refusal },
  proof: SecondFactorProof,
  concerns?: Concerned,
): void {
  if (proof === 'two_factor_required' || proof === 'two_factor_invalid')
    throw ctx.refusal(proof, concerns && { concerns });
}

/**
 * For what lets somebody else in, or tells them from now on what happens: a session of who has a second factor needs a
 * code; an API token was made with one.
 */
export async function demandOwnSecondFactor(
  tx: Parameters<typeof lockPerson>[0],
  ctx: Pick<WriteContext, 'sealer' | 'uow'> & { readonly caller: Pick<Caller, 'kind' | 'userId'> } & {
    refusal(code: 'two_factor_required' | 'two_factor_invalid'): Refusal;
  },
  code: string | undefined,
): Promise<void> {
  if (ctx.caller.kind !== 'session') return;
  const person = await lockPerson(tx, ctx.caller.userId);
  demandProof(ctx, await proveSecondFactor(tx, ctx.sealer, person, code, ctx.uow.now));
}
