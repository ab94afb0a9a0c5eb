import { z } from 'zod';
import type { TermUnit } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { WantedMachine } from '../../../drivers/hypervisor/port.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { commandJob } from '../../../work/job.ts';
import { suspectOrphan } from '../../core/backends/discrepancy.ts';
import { finishTask, type TaskRef } from '../../core/tasks/task.ts';
import { captureHold, isGivenUp, releaseHold } from '../../selling/orders/hold.ts';
import { beginFirstTerm, serviceOutcome } from '../../selling/subscriptions/service.ts';
import { returnPlacements } from '../capacity/placement.ts';
import { PASSWORD_PURPOSE, USER_DATA_PURPOSE } from '../changes/login.ts';
import { publishPtrRecords } from '../network/ptr-records.ts';
import { PROVISION, SERVER_COLUMNS, type Server, serverDelivered, serverRefused } from '../server.ts';
import { convergeServer, hypervisorOf } from './convergence.ts';
import { wantedMachine } from './desired-machine.ts';

type OrderedServer = Server & {
  readonly order_id: string;
  readonly task_id: string;
  readonly task_state: string;
  readonly ssh_keys: readonly string[];
  readonly user_data_sealed: Buffer | null;
};

const loadOrdered = statement<OrderedServer>(
  'load_ordered_server',
  `SELECT ${SERVER_COLUMNS}, v.ssh_keys, v.user_data_sealed, o.id AS order_id, t.id AS task_id, t.state AS task_state
   FROM orders o JOIN services s ON s.id = o.service_id JOIN servers v ON v.id = s.id
   JOIN tasks t ON t.resource_id = s.id AND t.order_id = o.id AND t.finished_at IS NULL
   WHERE o.id = $1 AND o.state = 'pending' AND s.state IN ('pending', 'provisioning')`,
);

// What customers watch while it goes on. The rows are locked in the order that `finish` locks them.
const begin = statement<object>(
  'begin_provisioning',
  `WITH service AS (
     UPDATE services SET state = 'provisioning' WHERE id = $1 AND state = 'pending' RETURNING id)
   UPDATE tasks SET state = 'running', step = 'install', started_at = $3
   WHERE id = $2 AND state = 'queued' AND resource_id IN (SELECT id FROM service)`,
);

// Whoever comes second, after a crash or beside a worker that was thought dead, finds the work done.
const lockUnfinished = statement<{
  id: string;
  item: string;
  duration: number;
  duration_unit: TermUnit;
  auto_renew: boolean;
}>(
  'lock_unfinished_server',
  "SELECT id, item, duration, duration_unit, auto_renew FROM services WHERE id = $1 AND state IN ('pending', 'provisioning') FOR UPDATE",
);

interface Provisioning {
  readonly wanted: WantedMachine;
  readonly orderId: string;
  readonly task: TaskRef;
}

/** Makes the machine of a server that was ordered, then takes the money; or gives everything back. */
export default commandJob({
  name: PROVISION,
  payload: z.object({ order_id: z.uuid() }),
  async load(db, ctx, { order_id }): Promise<Provisioning | null> {
    const [server] = await db.run(loadOrdered, [order_id]);
    if (server === undefined) return null;
    if (server.task_state === 'queued') await db.run(begin, [server.id, server.task_id, ctx.now]);
    const { password_sealed, user_data_sealed } = server;
    return {
      orderId: server.order_id,
      task: {
        id: server.task_id,
        accountId: server.account_id,
        type: PROVISION,
        resource: { type: 'server', id: server.id },
      },
      wanted: wantedMachine(server, {
        sshKeys: server.ssh_keys,
        password: password_sealed === null ? null : ctx.sealer.openText(PASSWORD_PURPOSE, password_sealed),
        userData: user_data_sealed === null ? null : ctx.sealer.openText(USER_DATA_PURPOSE, user_data_sealed),
      }),
    };
  },
  command: (ports, { wanted }) => ports.hypervisor.ensureMachine(wanted),
  backend: ({ wanted }) => hypervisorOf(wanted),
  about: ({ wanted, orderId, task }) => ({
    order_id: orderId,
    service_id: wanted.serverId,
    tasks: [task.id],
  }),
  accounts: ({ task }) => [task.accountId],
  async finish(tx, { uow, log, catalogs }, { wanted, orderId, task }, outcome) {
    const id = wanted.serverId;
    const [unfinished] = await tx.run(lockUnfinished, [id]);
    if (unfinished === undefined) {
      if (await isGivenUp(tx, orderId)) {
        // Nothing removes it by itself: an operator decides what becomes of the machine.
        const { host: backend, node } = wanted;
        const orphan = { backend, node, kind: 'machine_unknown', subject: id, orderId };
        if (outcome.kind === 'done') await suspectOrphan(tx, orphan, uow.now);
        return;
      }
      // Ended meanwhile, perhaps: a late command must not leave a machine that the books know to be off or gone.
      convergeServer(uow, id);
      return;
    }
    if (outcome.kind === 'refused') {
      log.warn({ server: id, order: orderId, reason: outcome.reason }, 'a hypervisor refused a server');
      await releaseHold(tx, uow, orderId, outcome.reason);
      await returnPlacements(tx, [id], uow.now);
      uow.changes.add(serviceOutcome, { id, state: 'error', ended_at: uow.now });
      uow.changes.add(serverRefused, { id });
      finishTask(uow, task, 'backend_error');
      return;
    }
    await captureHold(tx, uow, orderId);
    const catalog = await catalogs.newest(tx);
    await beginFirstTerm(tx, uow, catalog, { ...unfinished, product: 'server', orderId });
    uow.changes.add(serverDelivered, { id, power_state: outcome.result.power });
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.provisioned',
      resource: task.resource,
      body: { order_id: orderId, hostname: wanted.hostname, power_state: outcome.result.power },
    });
    finishTask(uow, task, null);
    await publishPtrRecords(tx, uow, catalog, id);
  },
});
