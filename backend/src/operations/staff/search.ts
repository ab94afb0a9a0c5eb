import { z } from 'zod';
import { timestamp, timestampInput, uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { offsetOf, pageOf, pagination, tooDeep } from '../../api/page.ts';
import { parseWireTime, wireTime, wireTimeOrNull } from '../../base/time.ts';
import { customerNumber } from '../../business/core/accounts/customer.ts';
import { readAsked } from '../../business/search/asked.ts';
import { FOUND_KINDS, MATCHES, searchAll } from '../../business/search/search.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/search',
  summary: 'Whose an address, a name, a key or an invoice is, or was at a time',
  description:
    '`query` is an IP address or a network, an e-mail address, a license key, an invoice number, or the name of a host or ' +
    'domain; of a host, the domain that it is below is found, too. What it is, it says itself. Nothing is guessed: parts of ' +
    'names are looked for by `staff/customers`. A server’s addresses are known with their history, IP bindings of licenses ' +
    'and reverse names as they are now. It is a POST so that no key stands in an address.',
  audience: 'staff',
  scope: 'staff:read',
  effect: 'none',
  input: z.strictObject({
    query: z.string().trim().min(1, 'This must not be empty.').max(253),
    at: timestampInput
      .optional()
      .describe('Only what answered to it at that moment. Without it, now or ever.'),
    page: z.int().min(1).max(1_000_000).default(1),
    per_page: z.int().min(1).max(100).default(25),
  }),
  output: z.object({
    results: z
      .array(
        z.object({
          kind: z.enum(FOUND_KINDS),
          matched: z.enum(MATCHES),
          value: z.string().describe('What matched; empty for a license key.'),
          uuid: uuid.describe('Of the account, the service or the invoice.'),
          name: z.string(),
          state: z.string(),
          since: timestamp.describe('From when on it answered to that.'),
          until: timestamp.nullable().describe('null: it still does.'),
          account: z.object({
            uuid,
            customer_number: z.string(),
            state: z.enum(['active', 'suspended', 'closed']),
            email: z.string().describe('The owner’s.'),
          }),
        }),
      )
      .describe('The newest first.'),
    pagination,
  }),
  message: { en: 'This was found.', de: 'Das wurde gefunden.' },
  errors: ['validation_failed'],
  secrets: ['query'],
  example: { input: { query: '198.51.100.7', at: '2026-03-01 12:00:00' } },
  shows: ({ results }) => results.map(({ account }) => account.uuid),
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const asked = readAsked(input.query);
    if (asked.kind === 'too_large') {
      const problem = 'A network has at most 65,536 IPv4 addresses, or a /32 of IPv6.';
      throw ctx.refusal('validation_failed', fieldProblem('/query', 'out_of_range', problem));
    }
    const at = input.at === undefined ? null : parseWireTime(input.at);
    if (input.at !== undefined && at === null) {
      const problem = 'This must be a moment that there is, as YYYY-MM-DD HH:MM:SS.';
      throw ctx.refusal('validation_failed', fieldProblem('/at', 'invalid_format', problem));
    }
    const page = { limit: input.per_page, offset: offsetOf(input) };
    const { found, total } = await searchAll(ctx.db, asked, at, page);
    return {
      results: found.map((one) => ({
        kind: one.kind,
        matched: one.matched,
        value: one.value,
        uuid: one.id,
        name: one.name,
        state: one.state,
        since: wireTime(one.since),
        until: wireTimeOrNull(one.until),
        account: {
          uuid: one.account_id,
          customer_number: customerNumber(one.customer_number),
          state: one.account_state,
          email: one.email,
        },
      })),
      pagination: pageOf(input, total),
    };
  },
});
