import { z } from 'zod';
import type { Executor } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { CommandOutcome } from '../../drivers/outcome.ts';
import type { MadeSite, WantedSite, Webserver } from '../../drivers/webserver/port.ts';
import { commandJob } from '../../work/job.ts';
import { finishTask } from '../core/tasks/task.ts';
import type { ServiceState } from '../selling/subscriptions/service.ts';
import { type OpenDatabase, openDatabases, settleDatabase } from './databases.ts';
import {
  forgetPassword,
  keepFingerprints,
  loadWantedSite,
  type WantedOfSite,
  wantedOfSite,
} from './desired-state.ts';
import { certificateJob, dueCertificatesOf } from './names/certificates.ts';
import { returnPlacement } from './placement.ts';
import { webspaceRemoved } from './webspace.ts';
import { CONFIGURE, CONVERGE, convergeWebspace, push, webserverOf } from './webspace-jobs.ts';

interface EnforcedWebspace {
  readonly id: string;
  readonly account_id: string;
  readonly host: string;
  readonly disk: number;
  readonly state: ServiceState;
  /** Whether the place of a deleted webspace was given back already. */
  readonly removed: boolean;
}

const COLUMNS = `w.id, s.account_id, w.host, w.disk, s.state, w.removed_at IS NOT NULL AS removed
  FROM webspaces w JOIN services s ON s.id = w.id WHERE w.id = $1`;
const load = statement<EnforcedWebspace>('load_enforced_webspace', `SELECT ${COLUMNS}`);
const lock = statement<EnforcedWebspace>('lock_enforced_webspace', `SELECT ${COLUMNS} FOR UPDATE OF s`);

// Read before what is wanted, so that each change whose task is known is known, too.
const openTasks = statement<{ id: string }>(
  'open_configure_tasks',
  `SELECT id FROM tasks WHERE resource_id = $1 AND account_id = $2 AND type = '${CONFIGURE}' AND finished_at IS NULL
   ORDER BY id`,
);
const stillOpen = statement<{ id: string }>(
  'still_open_tasks',
  'SELECT id FROM tasks WHERE id = ANY($1::uuid[]) AND finished_at IS NULL ORDER BY id FOR NO KEY UPDATE',
);

interface Enforcement {
  readonly accountId: string;
  readonly wanted: WantedOfSite;
  readonly site: WantedSite;
  readonly sealed: Buffer | null;
  readonly databases: readonly OpenDatabase[];
  readonly tasks: readonly string[];
}

/**
 * Makes a webspace's site be as the books say: on, with its names, keys, passwords and databases; suspended; or gone,
 * and then its place is given back, once. What the books say may change while the back end works: then it runs again,
 * so that the last word of the books prevails. It finishes the tasks whose changes it has carried out.
 */
export default commandJob({
  name: CONVERGE,
  payload: z.object({ webspace_id: z.uuid() }),
  async load(db: Executor, ctx, { webspace_id: id }): Promise<Enforcement | null> {
    const [webspace] = await db.run(load, [id]);
    const wanted = webspace === undefined ? null : wantedOfSite(webspace.state);
    if (webspace === undefined || wanted === null) return null;
    const { account_id: accountId } = webspace;
    const tasks = await db.run(openTasks, [id, accountId]);
    const databases = wanted === 'on' ? await openDatabases(db, ctx.sealer, id) : [];
    const found = await loadWantedSite(db, { catalog: ctx.catalogs.current(), sealer: ctx.sealer }, id);
    if (found === null) return null;
    return { ...found, accountId, wanted, databases, tasks: tasks.map((task) => task.id) };
  },
  command: (ports, { wanted, site, databases }) => bring(ports.webserver, wanted, site, databases),
  backend: ({ site }) => webserverOf(site),
  about: ({ site, tasks }) => ({ service_id: site.webspaceId, tasks }),
  accounts: ({ accountId }) => [accountId],
  async finish(tx, { uow, log }, { accountId, wanted, site, sealed, databases, tasks }, outcome) {
    const id = site.webspaceId;
    const [webspace] = await tx.run(lock, [id]);
    if (webspace === undefined) return;
    if (wantedOfSite(webspace.state) !== wanted) {
      convergeWebspace(uow, id);
      return;
    }
    const open = await tx.run(stillOpen, [tasks]);
    const failure = outcome.kind === 'refused' ? ('backend_error' as const) : null;
    for (const task of open) {
      finishTask(
        uow,
        { id: task.id, accountId, type: CONFIGURE, resource: { type: 'webspace', id } },
        failure,
      );
    }
    if (outcome.kind === 'refused') {
      log.warn({ webspace: id, wanted, reason: outcome.reason }, 'a web server refused to follow the books');
      return;
    }
    if (wanted === 'on') {
      await forgetPassword(tx, id, sealed);
      for (const database of databases) await settleDatabase(tx, database);
      if (outcome.result !== null) await keepFingerprints(tx, site.host, outcome.result.sftpFingerprints);
      for (const due of await dueCertificatesOf(tx, id, uow.now)) push(uow, certificateJob(due));
      return;
    }
    // Whoever comes second finds the place given back. An order that came to nothing gave back its own.
    if (wanted !== 'absent' || webspace.removed || webspace.state !== 'deleted') return;
    await returnPlacement(tx, webspace.host, webspace.disk);
    await forget(tx, id);
    uow.changes.add(webspaceRemoved, { id, removed_at: uow.now });
  },
});

async function bring(
  webserver: Webserver,
  wanted: WantedOfSite,
  site: WantedSite,
  databases: readonly OpenDatabase[],
): Promise<CommandOutcome<MadeSite | null>> {
  if (wanted === 'absent') return await webserver.ensureAbsent(site);
  if (wanted === 'suspended') return await webserver.ensureSuspended(site);
  const made = await webserver.ensureSite(site);
  if (made.kind !== 'done') return made;
  for (const { name, password } of databases) {
    const outcome =
      password === null
        ? await webserver.ensureDatabaseAbsent(site, name)
        : await webserver.ensureDatabase(site, name, password);
    if (outcome.kind !== 'done') return outcome;
  }
  return made;
}

const forgetNames = statement<object>(
  'forget_webspace_names',
  `WITH names AS (DELETE FROM webspace_domains WHERE webspace_id = $1),
   keys AS (DELETE FROM webspace_sftp_keys WHERE webspace_id = $1)
   DELETE FROM webspace_databases WHERE webspace_id = $1`,
);

/** Its names are free for others from now on. */
async function forget(tx: Transaction, id: string): Promise<void> {
  await tx.run(forgetNames, [id]);
}
