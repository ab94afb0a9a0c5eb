import { z } from 'zod';
import { noInput } from '../../api/field.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'ticket/departments',
  summary: 'Whom a ticket can be addressed to',
  audience: 'customer',
  scope: 'ticket:read',
  input: noInput,
  output: z.object({ departments: z.array(z.object({ name: z.string(), displayname: z.string() })) }),
  message: { en: 'These are the departments.', de: 'Das sind die Abteilungen.' },
  errors: [],
  example: { input: {} },
  read: (ctx) => ({
    departments: ctx.catalog.content.support.departments.map(({ name, displayname }) => ({
      name,
      displayname: displayname[ctx.locale],
    })),
  }),
});
