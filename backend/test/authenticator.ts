import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../src/base/clock.ts';

export interface Authenticator {
  code(stepsAhead?: number): string;
}

/** An authenticator app that goes by the test's clock. */
export function authenticator(secret: string, clock: Pick<Clock, 'now'>): Authenticator {
  const totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) });
  return {
    code: (stepsAhead = 0) =>
      totp.generate({ timestamp: clock.now().epochMilliseconds + stepsAhead * 30_000 }),
  };
}
