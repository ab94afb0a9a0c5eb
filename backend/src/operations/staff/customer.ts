import { z } from 'zod';
import { address, wireAddress } from '../../api/address.ts';
import { currency, money, timestamp, uuid } from '../../api/field.ts';
import { pastOrder, wirePastOrder } from '../../api/past-order.ts';
import { productType } from '../../api/product.ts';
import { serviceState } from '../../api/server.ts';
import { user, wireUser } from '../../api/user.ts';
import { wireAmount } from '../../base/money.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { available, findAccount } from '../../business/core/accounts/account.ts';
import { addressOf } from '../../business/core/accounts/address.ts';
import { customerNumber } from '../../business/core/accounts/customer.ts';
import { operatorActions } from '../../business/core/accounts/operator-actions.ts';
import { ACCOUNT_SUSPENSION_REASONS, accountSuspension } from '../../business/core/accounts/standing.ts';
import { pendingEntries } from '../../business/core/ledger/pending.ts';
import { usersOf } from '../../business/core/people/user.ts';
import { newestMails } from '../../business/notifications/mail/history.ts';
import { listOrders } from '../../business/selling/orders/history.ts';
import { listPayments } from '../../business/selling/payments/list.ts';
import { tallyOf } from '../../business/selling/subscriptions/tally.ts';
import { operation } from '../../operation.ts';

const NEWEST = 10;
const MOST_HOLDS = 100;

export default operation({
  method: 'GET',
  path: 'staff/customer',
  summary: 'One customer, as support needs to see them',
  audience: 'staff',
  scope: 'staff:read',
  input: z.strictObject({ uuid: uuid.describe('The account.') }),
  output: z.object({
    uuid,
    customer_number: z.string(),
    state: z.enum(['active', 'suspended', 'closed']),
    suspension: z
      .object({ reason: z.enum(ACCOUNT_SUSPENSION_REASONS), note: z.string(), since: timestamp })
      .nullable()
      .describe('null: the account is not suspended.'),
    created_at: timestamp,
    users: z.array(user),
    address: address.nullable(),
    tax_country: z.string(),
    tax_business: z.boolean().describe('With a confirmed VAT number.'),
    balance: z.object({
      balance: money,
      reserved: money,
      available: money,
      credit_limit: money,
      currency,
    }),
    services: z.array(z.object({ product: productType, state: serviceState, count: z.int() })),
    holds: z
      .array(
        z.object({
          order_id: uuid,
          transaction_uuid: uuid,
          amount: money,
          description: z.string(),
          resource: z.object({ type: z.string(), uuid }),
          created_at: timestamp,
        }),
      )
      .describe('Money that orders have reserved, the oldest first.'),
    orders: z.array(pastOrder).describe('The newest ten.'),
    payments: z
      .array(
        z.object({
          uuid,
          method: z.string(),
          amount: money,
          currency,
          state: z.string(),
          reference: z.string().nullable(),
          failure: z.string().nullable(),
          created_at: timestamp,
        }),
      )
      .describe('The newest ten.'),
    mails: z
      .array(
        z.object({
          uuid,
          template: z.string(),
          state: z.enum(['queued', 'sent', 'failed']),
          failure: z.string().nullable(),
          created_at: timestamp,
          sent_at: timestamp.nullable(),
        }),
      )
      .describe('The newest ten.'),
    operator_actions: z
      .array(
        z.object({
          uuid,
          operation: z.string(),
          operator: z.string().describe('The e-mail address.'),
          impersonating: z.boolean().describe('In the customer’s place.'),
          input: z.unknown().describe('Without its secrets.'),
          created_at: timestamp,
        }),
      )
      .describe('What operators did here, the newest ten.'),
  }),
  message: { en: 'The customer was found.', de: 'Der Kunde wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  shows: ({ uuid }) => [uuid],
  async read(ctx, input) {
    const { db } = ctx;
    const id = input.uuid;
    const newest = { order: 'desc', limit: NEWEST, offset: 0 } as const;
    const anyPending = { kind: null, resourceId: null, description: null, from: null, before: null };
    const anyOrder = { state: null, product: null, serviceId: null, description: null, services: null };
    const [account, users, stored, services, holds, { orders }, { payments }, mails, actions, suspension] =
      await Promise.all([
        findAccount(db, id),
        usersOf(db, id),
        addressOf(db, id),
        tallyOf(db, id),
        pendingEntries(db, { accountId: id, ...anyPending }, { limit: MOST_HOLDS, offset: 0 }),
        listOrders(db, { accountId: id, ...anyOrder }, newest),
        listPayments(db, { accountId: id, state: null, method: null }, newest),
        newestMails(db, id, NEWEST),
        operatorActions(db, id, NEWEST),
        accountSuspension(db, id),
      ]);
    if (account === null) throw ctx.refusal('not_found');
    return {
      uuid: account.id,
      customer_number: customerNumber(account.number),
      state: account.state,
      suspension: suspension === null ? null : { ...suspension, since: wireTime(suspension.since) },
      created_at: wireTime(account.created_at),
      users: users.map(wireUser),
      address: stored === null ? null : wireAddress(stored),
      tax_country: account.tax_country,
      tax_business: account.tax_business,
      balance: {
        balance: wireAmount(account.balance),
        reserved: wireAmount(account.reserved),
        available: wireAmount(available(account)),
        credit_limit: wireAmount(account.credit_limit),
        currency: account.currency,
      },
      services: [...services],
      holds: holds.map((hold) => ({
        order_id: hold.order_id,
        transaction_uuid: hold.id,
        amount: wireAmount(-hold.amount),
        description: hold.description,
        resource: { type: hold.resource_type, uuid: hold.resource_id },
        created_at: wireTime(hold.created_at),
      })),
      orders: orders.map(wirePastOrder),
      payments: payments.map((payment) => ({
        uuid: payment.id,
        method: payment.method,
        amount: wireAmount(payment.amount),
        currency: payment.currency,
        state: payment.state,
        reference: payment.reference,
        failure: payment.failure,
        created_at: wireTime(payment.created_at),
      })),
      mails: mails.map((mail) => ({
        uuid: mail.id,
        template: mail.template,
        state: mail.state,
        failure: mail.failure,
        created_at: wireTime(mail.created_at),
        sent_at: wireTimeOrNull(mail.sent_at),
      })),
      operator_actions: actions.map((action) => ({
        uuid: action.id,
        operation: action.operation,
        operator: action.operator,
        impersonating: action.impersonating,
        input: action.input,
        created_at: wireTime(action.created_at),
      })),
    };
  },
});
