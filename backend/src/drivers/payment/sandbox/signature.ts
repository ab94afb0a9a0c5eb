import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../../../base/time.ts';

export const SIGNATURE_HEADER = 'sandbox-signature';
const TOLERANCE_SECONDS = 300;

/** `t=<seconds>,v1=<HMAC-SHA-256 of "t.body", hexadecimal>`. */
export function signatureOf(secret: Buffer, body: Buffer, at: Instant): string {
  const seconds = Math.floor(at.epochMilliseconds / 1000);
  return `t=${seconds},v1=${mac(secret, seconds, body).toString('hex')}`;
}

/** What is wrong with a signature at this moment, or null. */
export function signatureProblem(
  secret: Buffer,
  body: Buffer,
  header: string | undefined,
  now: Instant,
): string | null {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (match === null) return 'no signature';
  const seconds = Number(match[1]);
  if (!timingSafeEqual(mac(secret, seconds, body), Buffer.from(match[2] ?? '', 'hex')))
    return 'bad signature';
  const age = now.epochMilliseconds / 1000 - seconds;
  if (age > TOLERANCE_SECONDS) return 'too old';
  return age < -TOLERANCE_SECONDS ? 'from the future' : null;
}

function mac(secret: Buffer, seconds: number, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
}
