import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { timestampInput } from '../../api/field.ts';
import { notice, noticeSeverity, wireNotice } from '../../api/notice.ts';
import { fieldProblem } from '../../api/order.ts';
import { type Instant, isBefore, parseWireTime } from '../../base/time.ts';
import { addNotice } from '../../business/notifications/notices/notice.ts';
import { operation } from '../../operation.ts';

const text = (most: number) => z.string().trim().min(1, 'This must not be empty.').max(most);

export default operation({
  method: 'POST',
  path: 'staff/notice-create',
  summary: 'Tell all customers something on their dashboard',
  audience: 'staff',
  scope: 'staff:technical',
  input: z.strictObject({
    severity: noticeSeverity.default('info'),
    title: z.strictObject({ en: text(200), de: text(200) }),
    body: z.strictObject({ en: text(5000), de: text(5000) }),
    starts_at: timestampInput.optional().describe('Default: now.'),
    ends_at: timestampInput.optional().describe('Default: until it is ended.'),
  }),
  output: notice,
  message: { en: 'The notice was made.', de: 'Der Hinweis wurde angelegt.' },
  errors: ['validation_failed'],
  example: {
    input: {
      severity: 'warning',
      title: { en: 'Maintenance on Sunday', de: 'Wartung am Sonntag' },
      body: { en: 'Servers in Frankfurt restart.', de: 'Server in Frankfurt starten neu.' },
      ends_at: '2030-01-06 06:00:00',
    },
  },
  async handle(tx, ctx, input) {
    const moment = (field: 'starts_at' | 'ends_at'): Instant | null => {
      const given = input[field];
      const found = given === undefined ? null : parseWireTime(given);
      if (given !== undefined && found === null)
        throw ctx.refusal(
          'validation_failed',
          fieldProblem(`/${field}`, 'invalid_format', 'No such moment.'),
        );
      return found;
    };
    const starts = moment('starts_at') ?? ctx.uow.now;
    const ends = moment('ends_at');
    if (ends !== null && !isBefore(starts, ends)) {
      const problem = fieldProblem('/ends_at', 'out_of_range', 'It must end after it begins.');
      throw ctx.refusal('validation_failed', problem);
    }
    const made = {
      id: randomUUIDv7(),
      severity: input.severity,
      title: input.title,
      body: input.body,
      starts_at: starts,
      ends_at: ends,
      created_at: ctx.uow.now,
    };
    await addNotice(tx, made);
    return wireNotice(made);
  },
});
