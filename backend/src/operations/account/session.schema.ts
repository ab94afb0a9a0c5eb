import { z } from 'zod';
import { currency, timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { csrfToken } from '../../business/core/access/session.ts';
import type { Account } from '../../business/core/accounts/account.ts';
import { customerNumber } from '../../business/core/accounts/customer.ts';
import type { Profile } from '../../business/core/accounts/profile.ts';
import type { Context } from '../../operation.ts';
import { token, wireToken } from './token.schema.ts';

const API_VERSION = '2';

/** Whom a token speaks for, and what it may do. */
export const session = z.object({
  account: z
    .object({
      uuid,
      customer_number: z.string(),
      email: z.string(),
      email_verified: z.boolean(),
      first_name: z.string(),
      last_name: z.string(),
      locale: z.string(),
      timezone: z.string(),
      currency,
      role: z.enum(['owner', 'admin', 'billing', 'technical', 'readonly', 'staff']),
      state: z.enum(['active', 'suspended', 'closed']),
      created_at: timestamp,
    })
    .nullable()
    .describe('null for an operator.'),
  token,
  two_factor: z.object({ enabled: z.boolean(), methods: z.array(z.enum(['totp', 'webauthn'])) }),
  impersonated_by: z.string().nullable().describe("The operator who acts in the customer's place."),
  rate_limit: z.object({ limit: z.int(), remaining: z.int(), reset_at: timestamp }),
  server_time: timestamp,
  api_version: z.string(),
  csrf_token: z
    .string()
    .nullable()
    .describe('What POST requests with the session cookie carry as X-CSRF-Token.'),
});

export function wireAccount(profile: Profile, account: Account) {
  return {
    uuid: account.id,
    customer_number: customerNumber(account.number),
    email: profile.email,
    email_verified: profile.email_verified_at !== null,
    first_name: profile.first_name,
    last_name: profile.last_name,
    locale: profile.locale,
    timezone: profile.timezone,
    currency: account.currency,
    role: profile.role,
    state: account.state,
    created_at: wireTime(account.created_at),
  };
}

/** The session without its account: what it is for operators too. */
export function wireSession(ctx: Pick<Context, 'now' | 'rate' | 'sealer'>, profile: Profile) {
  return {
    token: wireToken(profile, ctx.now),
    two_factor:
      profile.totp_confirmed_at === null
        ? { enabled: false, methods: [] }
        : { enabled: true, methods: ['totp' as const] },
    impersonated_by: profile.impersonator,
    rate_limit: {
      limit: ctx.rate.limit,
      remaining: ctx.rate.remaining,
      reset_at: wireTime(ctx.now.add({ seconds: ctx.rate.reset })),
    },
    server_time: wireTime(ctx.now),
    api_version: API_VERSION,
    csrf_token: profile.kind === 'session' ? csrfToken(ctx.sealer, profile.id) : null,
  };
}
