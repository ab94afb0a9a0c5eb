import type { Pool } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { type Transaction, transaction } from '../../../db/transaction.ts';
import type { Registries, RegistryMessage } from '../../../drivers/registry/port.ts';
import { type JobContext, maintenanceJob } from '../../../work/job.ts';
import { enqueue, type QueuedJob } from '../../../work/queue.ts';
import { isSafeMode } from '../../../work/safe-mode.ts';
import { AVAILABILITY_ONLY } from '../../core/catalog/schema/tld.ts';
import { orderJob } from '../../selling/orders/order-job.ts';
import { DELIVERY, domainJob, LOOK, TRANSFER_OUT } from '../domain-jobs.ts';

/** Of one registry in one run, so that none keeps the others waiting. */
const MOST = 200;

/** Reads what registries tell without being asked. Each message is committed before it is acknowledged (rule F4). */
export default maintenanceJob({
  name: 'domain.poll',
  schedule: '* * * * *',
  async run(pool, ctx, { registry }) {
    if (await isSafeMode(pool)) return;
    const { tlds } = (await ctx.catalogs.newest(pool)).content;
    const connections = new Set(tlds.map((tld) => tld.registry).filter((name) => name !== AVAILABILITY_ONLY));
    await Promise.all([...connections].map((name) => readMessages(pool, ctx, registry, name)));
  },
});

async function readMessages(
  pool: Pool,
  { now, log }: JobContext,
  registries: Registries,
  registry: string,
): Promise<void> {
  try {
    for (let read = 0; read < MOST; read += 1) {
      const message = await registries.nextMessage(registry);
      if (message === null) return;
      await transaction(pool, (tx) => keep(tx, registry, message, now));
      await registries.acknowledge(registry, message.id);
    }
  } catch (error) {
    // Read at the next run; what was kept is not kept twice.
    log.warn({ err: error, registry }, 'the messages of a registry could not be read');
  }
}

const insert = statement<{ id: string }>(
  'insert_registry_message',
  `INSERT INTO registry_messages (registry, id, at, text, domain, received_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const concerned = statement<{ id: string; state: string; order_id: string | null }>(
  'concerned_domains',
  `SELECT v.id, v.state, t.order_id FROM domains v
   LEFT JOIN domain_transfers t ON t.domain_id = v.id AND t.state = 'pending' AND t.direction = 'in'
   WHERE v.name = $1 AND v.registry = $2 AND v.state IN ('active', 'redemption', 'pending_delete', 'pending_transfer')`,
);
const makeDue = statement<object>(
  'make_transfers_due',
  "UPDATE domain_transfers SET due_at = $2 WHERE state = 'pending' AND direction <> 'push' AND domain_id = ANY($1::uuid[])",
);

/** Keeps a message, with the jobs that ask its registry what has become of the domain that it is about. */
async function keep(
  tx: Transaction,
  registry: string,
  { id, at, text, about }: RegistryMessage,
  now: JobContext['now'],
): Promise<void> {
  const name = about?.kind === 'transfer' ? about.transfer.domain : (about?.domain ?? null);
  const kept = await tx.run(insert, [registry, id, at, text, name, now]);
  if (kept.length === 0 || name === null) return;
  const domains = await tx.run(concerned, [name, registry]);
  await tx.run(makeDue, [domains.map((domain) => domain.id), now]);
  const jobs = domains.flatMap((domain): QueuedJob[] => {
    if (domain.state === 'pending_transfer')
      return domain.order_id === null ? [] : [orderJob(DELIVERY.transfer, domain.order_id)];
    return [domainJob(about?.kind === 'transfer' ? TRANSFER_OUT : LOOK, domain.id)];
  });
  await enqueue(tx, jobs);
}
