import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { usageHistory } from '../../business/webspaces/usage/usage.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';

const date = z.iso.date();
const MOST_DAYS = 366;
const DEFAULT_DAYS = 30;

export default operation({
  method: 'GET',
  path: 'webspace/usage',
  summary: 'What a webspace used, day by day',
  description: 'Days in UTC, counted by the hour. A day without a count is left out.',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({
    uuid,
    from: date.optional().describe('The first day; omitted: thirty days back.'),
    to: date.optional().describe('The last day; omitted: today.'),
  }),
  output: z.object({
    uuid,
    from: z.string(),
    to: z.string(),
    days: z.array(
      z.object({
        date: z.string(),
        disk: z.int().describe('MiB, files and databases.'),
        databases: z.int().describe('Bytes'),
        traffic: z.int().describe('Bytes'),
        requests: z.int(),
      }),
    ),
  }),
  message: { en: 'This is what was used.', de: 'Das wurde verbraucht.' },
  errors: ['not_found', 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async read(ctx, input, found) {
    const today = Temporal.PlainDate.from(ctx.now.toString().slice(0, 10));
    const to = input.to === undefined ? today : Temporal.PlainDate.from(input.to);
    const from =
      input.from === undefined ? to.subtract({ days: DEFAULT_DAYS }) : Temporal.PlainDate.from(input.from);
    const days = from.until(to, { largestUnit: 'days' }).days;
    if (days < 0 || days > MOST_DAYS)
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/from', 'out_of_range', `At most ${MOST_DAYS} days, and not after the last.`),
      );
    const rows = await usageHistory(ctx.db, found.id, from.toString(), to.toString());
    return {
      uuid: found.id,
      from: from.toString(),
      to: to.toString(),
      days: rows.map((row) => ({
        date: row.day,
        disk: row.disk,
        databases: Number(row.database_bytes),
        traffic: Number(row.traffic_bytes),
        requests: Number(row.requests),
      })),
    };
  },
});
