import { hash, verify } from '@node-rs/argon2';
import { Semaphore } from '../../../base/semaphore.ts';
import { isCommonPassword } from './listed-password.ts';

/** How long a password is, in UTF-16 code units. More than the upper bound would add time, not safety. */
export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;

// Argon2id (RFC 9106, the library's default) with the parameters of OWASP's Password Storage Cheat Sheet.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

// Each computation takes 19 MiB and a thread of libuv's pool of four: logins cannot take all of either.
const computing = new Semaphore(2, 100);

// What an address without a password is compared with. Nothing hashes to it: it is 32 zero bytes.
const NOBODY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`;

/**
 * The password's hash in PHC form, with a salt of its own. Takes tens of milliseconds; throws `Overloaded`
 * when too many wait.
 */
export function hashPassword(password: string): Promise<string> {
  return computing.run(() => hash(prepared(password), PARAMETERS));
}

/**
 * Whether the password is the one that was hashed. Without a hash it is not, after the same work: how long the
 * answer takes does not tell whether an address is known. Throws `Overloaded` when too many wait.
 */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return computing.run(() => verify(stored ?? NOBODY, prepared(password)));
}

/** Passwords that are tried first: common ones, the e-mail address, or fewer than five different characters. */
export function isGuessable(password: string, email: string): boolean {
  const folded = password.toLowerCase();
  return new Set(folded).size < 5 || folded.includes(email) || isCommonPassword(password);
}

/** The same characters typed on another keyboard are the same password (NIST SP 800-63B, 5.1.1.2). */
function prepared(password: string): string {
  return password.normalize('NFKC');
}
