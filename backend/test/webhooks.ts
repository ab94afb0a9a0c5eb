import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import deliver from '../src/business/notifications/webhooks/deliver.job.ts';
import type { PastDelivery } from '../src/business/notifications/webhooks/history.ts';
import type { EventOf, EventType } from '../src/unit-of-work/event.ts';
import { emit, inUnitOfWork, lockedAccount } from '../src/unit-of-work/unit-of-work.ts';
import type { Customer } from './fixture.ts';
import { openRequests } from './requests.ts';
import { openServers } from './servers.ts';
import { openReceiver } from './webhook-receiver.ts';

const BILLED = { order_id: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', gross_minor: 1_190, currency: 'EUR' };
const RENEWED = {
  previous_expire_at: Temporal.Instant.from('2026-01-01T00:00:00Z'),
  expire_at: Temporal.Instant.from('2026-02-01T00:00:00Z'),
};

/** What a test lets happen. */
const HAPPENINGS = {
  'license.bound': { type: 'license.bound', body: { ip_address: '192.0.2.7' } },
  'server.renewed': { type: 'server.renewed', body: RENEWED },
  'order.paid': { type: 'order.paid', body: BILLED },
  'order.failed': { type: 'order.failed', body: BILLED },
} as const satisfies { readonly [Type in EventType]?: EventOf<Type> };

/** The fixture with a receiver of webhooks; nothing is sent by itself: `tick` looks once, as workers do each second. */
export async function openWebhooks() {
  let receiver: Awaited<ReturnType<typeof openReceiver>> | undefined;
  after(() => receiver?.close());
  const site = await openServers();
  receiver = await openReceiver();
  const { pool, clock } = site;
  const requests = openRequests(site);
  const ports = { ...site.ports, outbound: receiver.outbound };

  const tick = (change: object = {}) => site.run(deliver, {}, { ports, ...change });

  async function pass(time: Temporal.DurationLike): Promise<void> {
    clock.set(clock.now().add(time));
    await tick();
  }

  /** A webhook to the receiver, and its secret. */
  async function webhook(who: Customer, input: object = {}): Promise<{ uuid: string; secret: string }> {
    const wanted = { url: receiver?.url, events: ['*'], ...input };
    return await requests.data('account/webhook-create', wanted, { token: who.secret });
  }

  /** Lets as many events happen to an account, in one transaction. */
  async function happen(
    who: Customer,
    count = 1,
    type: keyof typeof HAPPENINGS = 'license.bound',
  ): Promise<void> {
    await inUnitOfWork(pool, clock.now(), [who.accountId], async (_tx, uow) => {
      for (let times = 0; times < count; times += 1) {
        const resource = { type: 'license', id: randomUUID() };
        emit(uow, lockedAccount(uow, who.accountId), { ...HAPPENINGS[type], resource });
      }
    });
  }

  /** Its row. */
  async function row(uuid: string) {
    return await pool.kysely
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', uuid)
      .executeTakeFirstOrThrow();
  }

  /** What was sent, the oldest event first. */
  async function deliveries(uuid: string) {
    const { rows } = await pool.pg.query<Pick<PastDelivery, 'id' | 'kind' | 'sequence' | 'state' | 'log'>>(
      'SELECT * FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY sequence, created_at, id',
      [uuid],
    );
    return rows;
  }

  return { ...site, ...requests, receiver, tick, pass, webhook, happen, row, deliveries };
}
