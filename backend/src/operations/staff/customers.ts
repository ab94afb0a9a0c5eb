import { z } from 'zod';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { offsetOf, pageOf, pagination, paging, tooDeep } from '../../api/page.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime } from '../../base/time.ts';
import { available } from '../../business/core/accounts/account.ts';
import { customerNumber } from '../../business/core/accounts/customer.ts';
import { listCustomers } from '../../business/core/accounts/customer-list.ts';
import { operation } from '../../operation.ts';

const state = z.enum(['active', 'suspended', 'closed']);

export default operation({
  method: 'GET',
  path: 'staff/customers',
  summary: 'Customers',
  description: '`search` takes a customer number, a uuid, or a part of an e-mail address or name.',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({ ...paging(['customer_number']), state: state.optional() }),
  output: z.object({
    customers: z.array(
      z.object({
        uuid,
        customer_number: z.string(),
        email: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        state,
        currency,
        balance: money,
        reserved: money,
        available: money,
        credit_limit: money,
        services: z.int().describe('Those that have not ended.'),
        created_at: timestamp,
      }),
    ),
    pagination,
  }),
  message: { en: 'These are the customers.', de: 'Das sind die Kunden.' },
  errors: ['validation_failed'],
  example: { input: { search: 'lovelace' } },
  async read(ctx, input) {
    const deep = tooDeep(input);
    if (deep !== null) throw ctx.refusal('validation_failed', deep);
    const { customers, total } = await listCustomers(
      ctx.db,
      { state: input.state ?? null, search: input.search ?? null },
      { order: input.order, limit: input.per_page, offset: offsetOf(input) },
    );
    return {
      customers: customers.map((customer) => ({
        uuid: customer.id,
        customer_number: customerNumber(customer.number),
        email: customer.email,
        first_name: customer.first_name,
        last_name: customer.last_name,
        state: customer.state,
        currency: customer.currency,
        balance: wireAmount(customer.balance),
        reserved: wireAmount(customer.reserved),
        available: wireAmount(available(customer)),
        credit_limit: wireAmount(customer.credit_limit),
        services: customer.services,
        created_at: wireTime(customer.created_at),
      })),
      pagination: pageOf(input, total),
    };
  },
});
