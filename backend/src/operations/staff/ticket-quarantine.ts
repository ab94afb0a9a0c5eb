import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireTime } from '../../base/time.ts';
import { QUARANTINE_REASONS } from '../../business/support/incoming/incoming.ts';
import { listQuarantine } from '../../business/support/incoming/quarantine.ts';
import { ticketNumber } from '../../business/support/tickets/ticket.ts';
import { operation } from '../../operation.ts';

const { search: _, ...pages } = paging(['received_at']);

export default operation({
  method: 'GET',
  path: 'staff/ticket-quarantine',
  summary: 'Mails for tickets that were not believed, or could not be taken as they are',
  description: 'Accept or discard them; after a month they are discarded by themselves.',
  audience: 'staff',
  scope: 'staff:tickets',
  input: z.strictObject(pages),
  output: z.object({
    mails: z.array(
      z.object({
        uuid,
        reason: z.enum(QUARANTINE_REASONS),
        from_address: z.string().describe('As the mail claims.'),
        from_name: z.string(),
        recipient: z.string(),
        subject: z.string(),
        excerpt: z.string(),
        size: z.int().describe('Bytes'),
        authenticated_domain: z.string().nullable().describe('The domain that DMARC passed for.'),
        ticket: z
          .object({ uuid, number: z.string() })
          .nullable()
          .describe('Which its address was made for; null: none that there is.'),
        received_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the mails that wait.', de: 'Das sind die wartenden E-Mails.' },
  errors: ['validation_failed'],
  example: { input: { page: 1 } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { mails, total } = await listQuarantine(ctx.db, {
      order: input.order,
      limit: input.per_page,
      offset: offsetOf(input),
    });
    return {
      mails: mails.map((mail) => ({
        uuid: mail.id,
        reason: mail.reason,
        from_address: mail.from_address,
        from_name: mail.from_name,
        recipient: mail.recipient,
        subject: mail.subject,
        excerpt: mail.excerpt,
        size: mail.size,
        authenticated_domain: mail.authenticated_domain,
        ticket:
          mail.ticket_id === null || mail.ticket_number === null
            ? null
            : { uuid: mail.ticket_id, number: ticketNumber(mail.ticket_number) },
        received_at: wireTime(mail.received_at),
      })),
      pagination: pageOf(input, total),
    };
  },
});
