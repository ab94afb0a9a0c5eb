import { networkOf, siteOf } from '../../../base/ip.ts';
import { type AttemptLimit, bucketOf } from './attempt.ts';

const QUARTER = 15 * 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Who holds an IPv6 site has 65,536 lines to come from: all of them together get as much as so many. */
const LINES_OF_A_SITE = 4;
/** At one person's secrets: all lines of a site together stay well below what stops everybody. */
const LINES_AT_ONE_PERSON = 2;

type Limits = readonly AttemptLimit[];

/**
 * How often people may try what can be guessed, costs much, or sends mail to strangers. The narrowest comes first:
 * who is stopped where they come from does not use up what is counted for the person that they ask about.
 */
export const LIMITS = {
  /** Each makes an account, or mails whoever has one. */
  register: (ip: string): Limits => from('register-from', ip, 60, HOUR),
  /** One person is not mailed without end, from however many places; known or not. */
  registerOf: (address: string): Limits => [
    { bucket: bucketOf('register-of', address), limit: 10, windowSeconds: HOUR },
  ],
  /**
   * Guesses at one person's password stop soonest where they come from, so that somebody elsewhere cannot lock
   * that person out by guessing; the limit of all places together is above that. It does not concern a device that
   * was in before, whose guesses are counted by themselves (`known-device.ts`), and a mailed link makes one of any.
   */
  login: (address: string, ip: string, device: string | null): Limits => [
    ...from('login-from', ip, 200, QUARTER),
    ...(device === null
      ? [
          ...pair('login-pair', address, ip, 10, QUARTER),
          { bucket: bucketOf('login-of', address), limit: 50, windowSeconds: QUARTER },
        ]
      : [{ bucket: bucketOf('login-device', address, device), limit: 10, windowSeconds: QUARTER }]),
  ],
  /** One's own password, asked for again. */
  password: (userId: string): Limits => [
    { bucket: bucketOf('password-of', userId), limit: 20, windowSeconds: QUARTER },
  ],
  /** Of six digits three are good at a time: fifty guesses a day, from wherever, find one in about 6600 days. */
  code: (userId: string, ip: string, device: string | null): Limits =>
    device === null
      ? [
          ...pair('code-pair', userId, ip, 10, QUARTER),
          {
            bucket: bucketOf('code-place', userId, siteOf(ip) ?? networkOf(ip)),
            limit: 25,
            windowSeconds: DAY,
          },
          { bucket: bucketOf('code-of', userId), limit: 50, windowSeconds: DAY },
        ]
      : [
          { bucket: bucketOf('code-device', userId, device), limit: 10, windowSeconds: QUARTER },
          { bucket: bucketOf('code-device-day', userId, device), limit: 50, windowSeconds: DAY },
        ],
  /** As with log-ins: whoever asks too often is stopped where they are, before they stop the person themselves. */
  reset: (address: string, ip: string): Limits => [
    ...from('reset-from', ip, 30, HOUR),
    ...pair('reset-pair', address, ip, 5, HOUR),
    { bucket: bucketOf('reset-of', address), limit: 20, windowSeconds: HOUR },
  ],
  verification: (userId: string): Limits => [
    { bucket: bucketOf('verification-of', userId), limit: 5, windowSeconds: HOUR },
  ],
  /** Mails go to addresses that nobody has proved. */
  invitation: (accountId: string): Limits => [
    { bucket: bucketOf('invitations-of', accountId), limit: 50, windowSeconds: DAY },
  ],
  accept: (ip: string): Limits => from('accept-from', ip, 60, HOUR),
  /** Codes are guessed by machines: few tries for an account, and not many more for all accounts of one place. */
  voucher: (accountId: string, ip: string): Limits => [
    { bucket: bucketOf('voucher-of', accountId), limit: 10, windowSeconds: QUARTER },
    ...from('voucher-from', ip, 60, QUARTER),
  ],
  /** Each payment that was begun is asked for at its provider until it expires. */
  topup: (accountId: string): Limits => [
    { bucket: bucketOf('topup-of', accountId), limit: 30, windowSeconds: HOUR },
  ],
  /** Whoever tries VAT numbers uses up everybody's share of the register. */
  vatNumber: (accountId: string): Limits => [
    { bucket: bucketOf('vat-number', accountId), limit: 30, windowSeconds: HOUR },
  ],
} as const;

/** For what one line does at one person, and, of IPv6, what its site does by all of its lines. */
function pair(
  purpose: string,
  person: string,
  ip: string,
  limit: number,
  windowSeconds: number,
): AttemptLimit[] {
  const line = { bucket: bucketOf(purpose, person, networkOf(ip)), limit, windowSeconds };
  const site = siteOf(ip);
  if (site === null) return [line];
  const all = LINES_AT_ONE_PERSON * limit;
  return [line, { bucket: bucketOf(purpose, person, site), limit: all, windowSeconds }];
}

/** For what one line does, and, of IPv6, what its site does by all of its lines. */
function from(purpose: string, ip: string, limit: number, windowSeconds: number): AttemptLimit[] {
  const line = { bucket: bucketOf(purpose, networkOf(ip)), limit, windowSeconds };
  const site = siteOf(ip);
  if (site === null) return [line];
  return [line, { bucket: bucketOf(purpose, site), limit: LINES_OF_A_SITE * limit, windowSeconds }];
}
