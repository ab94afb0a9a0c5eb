import { z } from 'zod';
import { PASSWORD_MAX, PASSWORD_MIN } from '../business/core/access/password.ts';

/** What is asked of people who open an account or log in. */

/** RFC 5321 bounds the length. Capitals make no difference: what is kept and compared is lower-case. */
export const email = z.email('This must be an e-mail address.').max(254).toLowerCase();

export const newPassword = z
  .string()
  .min(PASSWORD_MIN, `At least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters.`);

/** Beside a new password. */
export const endApiTokens = z
  .boolean()
  .default(false)
  .describe('Your API tokens end, too: for when somebody else may have known the password.');

/** What follows # in a link that was mailed. */
export const linkToken = z.string().min(1).max(100);

export const personName = z
  .string()
  .trim()
  .min(1, 'This must not be empty.')
  .max(64, 'At most 64 characters.');

export const locale = z.enum(['en', 'de']);

export const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'This must be an IANA time zone such as Europe/Berlin.');

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
