import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { currency } from '../../api/field.ts';
import { email, locale, newPassword, personName, timezone } from '../../api/person.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { createCustomer } from '../../business/core/accounts/customer.ts';
import { requestVerification } from '../../business/core/people/email-address.ts';
import { notifyRegisteredAgain } from '../../business/core/people/registered-again.ts';
import { referrerOf, rememberReferrer } from '../../business/selling/affiliates/referral.ts';
import { operation } from '../../operation.ts';
import { hashNewPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/register',
  summary: 'Open an account',
  description:
    'Log in afterwards with the same address and password. A link that proves the address is mailed to it. The answer ' +
    'is the same for an address that has an account: that stays as it is, and its owner is told by mail.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({
    email,
    password: newPassword,
    first_name: personName,
    last_name: personName,
    locale: locale.optional().describe('Default: the language of the request.'),
    timezone: timezone.default('UTC'),
    tos: z.boolean().optional().describe('Acceptance of the terms of service; must be true.'),
    referral_code: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Of the affiliate who brought you; without it, of the link that you came by. Unknown ones are ignored.',
      ),
  }),
  output: z.object({
    email: z.string(),
    email_verified: z.boolean(),
    first_name: z.string(),
    last_name: z.string(),
    locale,
    timezone: z.string(),
    currency,
  }),
  message: {
    en: 'The account is open, unless the address has one already. A mail is on its way to it.',
    de: 'Das Konto ist eröffnet, falls es unter der Adresse noch keines gibt. Eine Mail ist an sie unterwegs.',
  },
  errors: ['registration_restricted', 'rate_limited', 'terms_not_accepted', 'validation_failed'],
  secrets: ['password'],
  example: {
    input: {
      email: 'ada@example.com',
      password: 'correct horse battery staple',
      first_name: 'Ada',
      last_name: 'Lovelace',
      tos: true,
    },
  },
  async ask(ctx, input) {
    if (ctx.registration === 'closed') throw ctx.refusal('registration_restricted');
    if (input.tos !== true) throw ctx.refusal('terms_not_accepted');
    await countAttempt(ctx, [...LIMITS.register(ctx.ip), ...LIMITS.registerOf(input.email)]);
    return await hashNewPassword(ctx, input.password, input.email, 'password');
  },
  async handle(tx, ctx, input, _subject, passwordHash) {
    const person = {
      email: input.email,
      passwordHash,
      firstName: input.first_name,
      lastName: input.last_name,
      locale: input.locale ?? ctx.locale,
      timezone: input.timezone,
      currency: ctx.catalog.content.currency,
    };
    const created = await createCustomer(tx, person, ctx.now);
    const code = ctx.catalog.content.affiliate.enabled ? (input.referral_code ?? ctx.referralCode) : null;
    const newcomer = { email: person.email, accountId: ctx.caller?.accountId ?? null };
    const referrer = code === null ? null : await referrerOf(tx, code, newcomer);
    if (created.kind === 'exists') await notifyRegisteredAgain(tx, ctx.uow, person.email, ctx);
    else {
      if (referrer !== null) await rememberReferrer(tx, created.accountId, referrer);
      const addressee = { id: created.userId, account_id: created.accountId, locale: person.locale };
      await requestVerification(tx, ctx.uow, addressee, person.email, ctx);
    }
    return {
      email: person.email,
      email_verified: false,
      first_name: person.firstName,
      last_name: person.lastName,
      locale: person.locale,
      timezone: person.timezone,
      currency: person.currency,
    };
  },
});
