import { z } from 'zod';
import { currency, money, noInput, timestamp, uuid } from '../../api/field.ts';
import { noticeSeverity } from '../../api/notice.ts';
import { task } from '../../api/task.ts';
import { wireAmount } from '../../base/money.ts';
import { utcDay, wireTime, wireTimeOrNull } from '../../base/time.ts';
import { accountOf, available } from '../../business/core/accounts/account.ts';
import { customerNumber } from '../../business/core/accounts/customer.ts';
import { overviewOf } from '../../business/core/accounts/overview.ts';
import { recentTasks } from '../../business/core/tasks/recent.ts';
import { wireTask } from '../../business/core/tasks/task.ts';
import { newestEvents } from '../../business/notifications/events/log.ts';
import { eventResource } from '../../business/notifications/events/message.ts';
import { currentNotices } from '../../business/notifications/notices/notice.ts';
import { expiringServices } from '../../business/selling/subscriptions/renewal/expiring.ts';
import { ticketCountsOf } from '../../business/support/tickets/list.ts';
import { operation } from '../../operation.ts';

const EXPIRING_DAYS = 30;
const MOST_TASKS = 10;
const MOST_EVENTS = 10;

const resource = z.object({ type: z.string(), uuid });

export default operation({
  method: 'GET',
  path: 'account/dashboard',
  summary: 'Everything that a first page shows',
  audience: 'customer',
  scope: 'account:read',
  input: noInput,
  output: z.object({
    customer: z.object({
      uuid,
      customer_number: z.string(),
      display_name: z.string(),
      locale: z.string(),
      since: z.string().describe('YYYY-MM-DD'),
    }),
    balance: z.object({ balance: money, available: money, currency }),
    counts: z.object({
      domains: z.int(),
      servers: z.int(),
      webspaces: z.int(),
      licenses: z.int(),
      tickets_open: z.int().describe('Those that are not closed.'),
      tickets_waiting_for_you: z.int(),
      invoices_open: z.int().describe('0: what is invoiced was paid from the balance.'),
    }),
    expiring: z
      .array(
        z.object({
          resource,
          name: z.string(),
          expire_at: timestamp,
          auto_renew: z.boolean(),
          renewal_gross: money
            .nullable()
            .describe('What a further term costs; null: it will have none, or is not sold any more.'),
          covered: z
            .boolean()
            .describe(
              'Whether the balance reaches when its turn comes, or the money is on hold for it; without auto_renew: now.',
            ),
        }),
      )
      .describe(`Terms that end within ${EXPIRING_DAYS} days, the soonest first; at most 100.`),
    tasks: z.array(task).describe('Under way, or of the last day.'),
    notices: z.array(
      z.object({
        uuid,
        severity: noticeSeverity,
        title: z.string(),
        body: z.string(),
        starts_at: timestamp,
        ends_at: timestamp.nullable(),
        affected: z.array(resource).describe('Empty: it concerns everybody.'),
      }),
    ),
    recent_events: z.array(
      z.object({ uuid, type: z.string(), resource: resource.nullable(), created_at: timestamp }),
    ),
  }),
  message: { en: 'This is your dashboard.', de: 'Das ist Ihre Übersicht.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const { accountId } = ctx.caller;
    const term = { now: ctx.now, end: ctx.now.add({ hours: EXPIRING_DAYS * 24 }), only: null };
    const since = ctx.now.subtract({ hours: 24 });
    const account = accountOf(ctx.db, accountId);
    const [{ balance, ...found }, overview, expiring, tasks, notices, events, tickets] = await Promise.all([
      account,
      overviewOf(ctx.db, accountId),
      account.then((known) => expiringServices(ctx.db, known, ctx.catalogs, ctx.catalog, term)),
      recentTasks(ctx.db, accountId, { since, limit: MOST_TASKS }),
      currentNotices(ctx.db, ctx.now),
      newestEvents(ctx.db, accountId, MOST_EVENTS),
      ticketCountsOf(ctx.db, accountId, null),
    ]);
    const { domains, servers, webspaces, licenses } = overview;
    return {
      customer: {
        uuid: accountId,
        customer_number: customerNumber(found.number),
        display_name: overview.company || `${overview.first_name} ${overview.last_name}`,
        locale: overview.locale,
        since: utcDay(found.created_at),
      },
      balance: {
        balance: wireAmount(balance),
        available: wireAmount(available({ balance, ...found })),
        currency: found.currency,
      },
      counts: {
        ...{ domains, servers, webspaces, licenses },
        tickets_open: tickets.open + tickets.answered + tickets.on_hold,
        tickets_waiting_for_you: tickets.answered,
        invoices_open: 0,
      },
      expiring: expiring.map((service) => ({
        resource: { type: service.product, uuid: service.id },
        name: service.name,
        expire_at: wireTime(service.expireAt),
        auto_renew: service.autoRenew,
        renewal_gross: service.price === null ? null : wireAmount(service.price),
        covered: service.covered,
      })),
      tasks: tasks.map((one) => wireTask(one, ctx.locale)),
      notices: notices.map((notice) => ({
        uuid: notice.id,
        severity: notice.severity,
        title: notice.title[ctx.locale],
        body: notice.body[ctx.locale],
        starts_at: wireTime(notice.starts_at),
        ends_at: wireTimeOrNull(notice.ends_at),
        affected: [],
      })),
      recent_events: events.map((event) => ({
        uuid: event.id,
        type: event.type,
        resource: eventResource(event),
        created_at: wireTime(event.created_at),
      })),
    };
  },
});
