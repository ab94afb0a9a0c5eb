import { Secret, TOTP } from 'otpauth';
import type { Instant } from '../../../base/time.ts';

// What every authenticator app can do, and many can nothing else: RFC 6238 with the defaults of its §5.2.
const PERIOD_SECONDS = 30;
const ALGORITHM = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS };
/** Steps before and after the present one whose codes are good: for clocks that differ, and slow fingers. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** Whether it looks like a code of an app; a recovery code does not. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** A fresh secret in base32, as people type it into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** `otpauth://totp/…`, which apps read from a QR code. */
export function totpUrl(secret: string, issuer: string, label: string): string {
  return new TOTP({ ...ALGORITHM, secret, issuer, label }).toString();
}

/** The time step that the code is of, if it is one of those that are good now. */
export function totpStep(secret: string, code: string, now: Instant): bigint | null {
  // The library compares bytes, of which six characters may have more.
  if (!isTotpCode(code)) return null;
  const totp = new TOTP({ ...ALGORITHM, secret });
  const delta = totp.validate({ token: code, timestamp: now.epochMilliseconds, window: WINDOW });
  return delta === null ? null : BigInt(Math.floor(now.epochMilliseconds / 1000 / PERIOD_SECONDS) + delta);
}
