import { z } from 'zod';
import { locale, personName, timezone } from '../../api/person.ts';
import { changeProfile } from '../../business/core/people/profile-change.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/update',
  summary: 'Change your name, language or time zone',
  description:
    'Of the person that the token speaks for; what is left out stays. E-mails are written in the language and with the ' +
    'times of the zone from now on. Invoices go by `account/save-address`, the address that you log in with by ' +
    '`account/email-change`.',
  audience: 'customer',
  scope: 'account:security',
  security: true,
  input: z.strictObject({
    first_name: personName.optional(),
    last_name: personName.optional(),
    locale: locale.optional(),
    timezone: timezone.optional(),
  }),
  output: z.object({
    first_name: z.string(),
    last_name: z.string(),
    locale: z.string(),
    timezone: z.string(),
  }),
  message: { en: 'Your details were saved.', de: 'Ihre Angaben wurden gespeichert.' },
  errors: [],
  example: { input: { locale: 'de', timezone: 'Europe/Vienna' } },
  async handle(tx, ctx, input) {
    const { accountId, userId } = ctx.caller;
    return await changeProfile(tx, ctx.uow, { accountId, userId }, input);
  },
});
