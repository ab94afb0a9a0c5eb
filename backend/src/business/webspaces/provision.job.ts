import { z } from 'zod';
import type { TermUnit } from '../../base/time.ts';
import { statement } from '../../db/statement.ts';
import type { WantedSite } from '../../drivers/webserver/port.ts';
import { emit, lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { commandJob } from '../../work/job.ts';
import { suspectOrphan } from '../core/backends/discrepancy.ts';
import { finishTask, type TaskRef } from '../core/tasks/task.ts';
import { captureHold, isGivenUp, releaseHold } from '../selling/orders/hold.ts';
import { beginFirstTerm, serviceOutcome } from '../selling/subscriptions/service.ts';
import { forgetPassword, keepFingerprints, loadWantedSite } from './desired-state.ts';
import { certificateJob, dueCertificatesOf } from './names/certificates.ts';
import { returnPlacement } from './placement.ts';
import { PROVISION, webspaceRemoved } from './webspace.ts';
import { convergeWebspace, push, webserverOf } from './webspace-jobs.ts';

interface Ordered {
  readonly id: string;
  readonly account_id: string;
  readonly order_id: string;
  readonly task_id: string;
  readonly task_state: string;
}

const loadOrdered = statement<Ordered>(
  'load_ordered_webspace',
  `SELECT s.id, s.account_id, o.id AS order_id, t.id AS task_id, t.state AS task_state
   FROM orders o JOIN services s ON s.id = o.service_id JOIN webspaces w ON w.id = s.id
   JOIN tasks t ON t.resource_id = s.id AND t.order_id = o.id AND t.finished_at IS NULL
   WHERE o.id = $1 AND o.state = 'pending' AND s.state IN ('pending', 'provisioning')`,
);

// What customers watch while it goes on. The rows are locked in the order that `finish` locks them.
const begin = statement<object>(
  'begin_webspace',
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
  'lock_unfinished_webspace',
  "SELECT id, item, duration, duration_unit, auto_renew FROM services WHERE id = $1 AND state IN ('pending', 'provisioning') FOR UPDATE",
);

interface Provisioning {
  readonly site: WantedSite;
  readonly sealed: Buffer | null;
  readonly orderId: string;
  readonly task: TaskRef;
}

/** Makes the site of a webspace that was ordered, then takes the money; or gives everything back. */
export default commandJob({
  name: PROVISION,
  payload: z.object({ order_id: z.uuid() }),
  async load(db, ctx, { order_id }): Promise<Provisioning | null> {
    const [ordered] = await db.run(loadOrdered, [order_id]);
    if (ordered === undefined) return null;
    if (ordered.task_state === 'queued') await db.run(begin, [ordered.id, ordered.task_id, ctx.now]);
    const wanted = await loadWantedSite(
      db,
      { catalog: ctx.catalogs.current(), sealer: ctx.sealer },
      ordered.id,
    );
    if (wanted === null) return null;
    return {
      ...wanted,
      orderId: ordered.order_id,
      task: {
        id: ordered.task_id,
        accountId: ordered.account_id,
        type: PROVISION,
        resource: { type: 'webspace', id: ordered.id },
      },
    };
  },
  command: (ports, { site }) => ports.webserver.ensureSite(site),
  backend: ({ site }) => webserverOf(site),
  about: ({ site, orderId, task }) => ({ order_id: orderId, service_id: site.webspaceId, tasks: [task.id] }),
  accounts: ({ task }) => [task.accountId],
  async finish(tx, { uow, log, catalogs }, { site, sealed, orderId, task }, outcome) {
    const id = site.webspaceId;
    const [unfinished] = await tx.run(lockUnfinished, [id]);
    if (unfinished === undefined) {
      if (await isGivenUp(tx, orderId)) {
        // Nothing removes it by itself: an operator decides what becomes of the site.
        const orphan = { backend: site.host, node: null, kind: 'site_unknown', subject: id, orderId };
        if (outcome.kind === 'done') await suspectOrphan(tx, orphan, uow.now);
        return;
      }
      // Ended meanwhile, perhaps: a late command must not leave a site that the books know to be off or gone.
      convergeWebspace(uow, id);
      return;
    }
    if (outcome.kind === 'refused') {
      log.warn({ webspace: id, order: orderId, reason: outcome.reason }, 'a web server refused a webspace');
      await releaseHold(tx, uow, orderId, outcome.reason);
      await returnPlacement(tx, site.host, site.diskMib);
      uow.changes.add(serviceOutcome, { id, state: 'error', ended_at: uow.now });
      uow.changes.add(webspaceRemoved, { id, removed_at: uow.now });
      await tx.run(dropNames, [id]);
      // What the back end began with may be there in part.
      convergeWebspace(uow, id);
      finishTask(uow, task, 'backend_error');
      return;
    }
    await captureHold(tx, uow, orderId);
    await forgetPassword(tx, id, sealed);
    await keepFingerprints(tx, site.host, outcome.result.sftpFingerprints);
    await beginFirstTerm(tx, uow, await catalogs.newest(tx), {
      ...unfinished,
      product: 'webspace',
      orderId,
    });
    for (const due of await dueCertificatesOf(tx, id, uow.now)) push(uow, certificateJob(due));
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'webspace.provisioned',
      resource: task.resource,
      body: { order_id: orderId, username: site.username, hostname: site.hostnames[0]?.hostname ?? '' },
    });
    finishTask(uow, task, null);
  },
});

const dropNames = statement<object>(
  'drop_webspace_names',
  'DELETE FROM webspace_domains WHERE webspace_id = $1',
);
