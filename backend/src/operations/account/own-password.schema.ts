import { z } from 'zod';
import { countAttempt, tooManyAttempts } from '../../api/attempt.ts';
import { fieldProblem } from '../../api/order.ts';
import { Overloaded } from '../../base/semaphore.ts';
import { passwordHashOf } from '../../business/core/access/credentials.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import {
  hashPassword,
  isGuessable,
  PASSWORD_MAX,
  verifyPassword,
} from '../../business/core/access/password.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';
import type { ReadContext } from '../../operation.ts';

/** The password of who asks, once more. */
export const ownPassword = z.string().min(1).max(PASSWORD_MAX);

/** How a password compares: decided before the transaction, and refused inside it, which a repeated key skips. */
export interface CheckedPassword {
  readonly right: boolean;
  /** What it was compared with. */
  readonly hash: string | null;
}

interface Busy {
  refusal(code: 'rate_limited', detail: RefusalDetail): Refusal;
}

/** Compares the password of a person, after the guess was counted. Without one given, it is right if there is none. */
export async function checkOwnPassword(
  ctx: Pick<ReadContext, 'db' | 'now'> & Busy,
  userId: string,
  password: string | undefined,
): Promise<CheckedPassword> {
  const hash = await passwordHashOf(ctx.db, userId);
  if (password === undefined) return { right: hash === null, hash };
  await countAttempt(ctx, LIMITS.password(userId));
  return { right: await unlessOverloaded(ctx, verifyPassword(hash, password)), hash };
}

/** Refuses a wrong password, and one that was right until somebody changed it just now. */
export function demandPassword(
  ctx: { refusal(code: 'password_invalid'): Refusal },
  person: { readonly password_hash: string | null },
  checked: CheckedPassword,
): void {
  if (!checked.right || person.password_hash !== checked.hash) throw ctx.refusal('password_invalid');
}

/** The hash of a password that somebody chooses, by the same policy everywhere; `field` names where it stands. */
export async function hashNewPassword(
  ctx: { refusal(code: 'rate_limited' | 'validation_failed', detail: RefusalDetail): Refusal },
  password: string,
  email: string,
  field: string,
): Promise<string> {
  if (isGuessable(password, email)) {
    const problem = fieldProblem(`/${field}`, 'not_allowed', 'This password is too easy to guess.');
    throw ctx.refusal('validation_failed', problem);
  }
  return await unlessOverloaded(ctx, hashPassword(password));
}

/** Passwords cost much to compute: when too many wait, the caller waits too. */
export async function unlessOverloaded<T>(ctx: Busy, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Overloaded) throw ctx.refusal('rate_limited', tooManyAttempts(null));
    throw error;
  }
}
