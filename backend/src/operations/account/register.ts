import { z } from 'zod';
import { networkOf } from '../../base/ip.ts';
import { Overloaded } from '../../base/semaphore.ts';
import { wireTime } from '../../base/time.ts';
import { attempt, bucketOf } from '../../business/accounts/attempt.ts';
import { createCustomer } from '../../business/accounts/customer.ts';
import { hashPassword, isGuessable } from '../../business/accounts/password.ts';
import { operation } from '../../operation.ts';
import { tooManyAttempts } from '../../shapes/attempt.ts';
import { currency, timestamp, uuid } from '../../shapes/field.ts';
import { fieldProblem } from '../../shapes/order.ts';
import { email, locale, newPassword, personName, timezone } from '../../shapes/person.ts';

export default operation({
  method: 'POST',
  path: 'account/register',
  summary: 'Open an account',
  description: 'Log in afterwards with the same address and password.',
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
  }),
  output: z.object({
    uuid,
    customer_number: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    first_name: z.string(),
    last_name: z.string(),
    locale,
    timezone: z.string(),
    currency,
    created_at: timestamp,
  }),
  message: { en: 'The account is open.', de: 'Das Konto ist eröffnet.' },
  errors: [
    'registration_restricted',
    'rate_limited',
    'terms_not_accepted',
    'validation_failed',
    'already_exists',
  ],
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
    if (isGuessable(input.password, input.email)) {
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/password', 'not_allowed', 'This password is too easy to guess.'),
      );
    }
    // Whether an address is known shows in the answer: asking is limited, and counted before it is looked up.
    const bucket = bucketOf('register-from', networkOf(ctx.ip));
    const tooMany = await attempt(ctx.db, [{ bucket, limit: 60, windowSeconds: 3600 }], ctx.now);
    if (tooMany !== null) throw ctx.refusal('rate_limited', tooManyAttempts(tooMany));
    return await hashPassword(input.password).catch((error: unknown) => {
      if (error instanceof Overloaded) throw ctx.refusal('rate_limited', tooManyAttempts(null));
      throw error;
    });
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
    if (created.kind === 'exists') throw ctx.refusal('already_exists');
    return {
      uuid: created.accountId,
      customer_number: created.customerNumber,
      email: person.email,
      email_verified: false,
      first_name: person.firstName,
      last_name: person.lastName,
      locale: person.locale,
      timezone: person.timezone,
      currency: person.currency,
      created_at: wireTime(ctx.now),
    };
  },
});
