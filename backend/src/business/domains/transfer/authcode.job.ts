import { z } from 'zod';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import type { DomainRef } from '../../../drivers/registry/port.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { commandJob } from '../../../work/job.ts';
import { cancelTask, finishTask } from '../../core/tasks/task.ts';
import { type Domain, lockDomain, readDomain, refOf } from '../domain.ts';
import { AUTHCODE, enqueueFor, registryOf } from '../domain-jobs.ts';
import { refusalCode } from '../registration/delivery.ts';
import { authcodeTask, newAuthcode, openAuthcode, openAuthcodeTasks } from './authcode-issued.ts';

interface Coding {
  readonly domain: Domain;
  /** null: the code that was given out is over, and is to be good for nothing. */
  readonly authcode: string | null;
  /** It was asked for, and since then the domain or the code has gone. */
  readonly moot: boolean;
  readonly taskIds: readonly string[];
}

// Its time is over: whatever the registry has instead is cleared as soon as it takes commands, and another code is made
// when one is asked for.
const disown = statement<object>(
  'disown_domain_authcode',
  'UPDATE domains SET authcode_expires_at = $3 WHERE id = $1 AND authcode_sealed = $2',
);
const inherit = statement<{ id: string }>(
  'inherit_domain_authcode',
  `UPDATE domains SET authcode_sealed = coalesce(authcode_sealed, $2),
     authcode_expires_at = coalesce(authcode_expires_at, $3)
   WHERE name = $1 AND state = 'active' RETURNING id`,
);
const forget = statement<object>(
  'forget_domain_authcode',
  `UPDATE domains SET authcode_sealed = NULL, authcode_expires_at = NULL WHERE id = $1 AND authcode_expires_at <= $2`,
);

/** Has the registry of a domain know the code that was given out, or clears it at its end (rule F2, RFC 9154). */
export default commandJob<z.ZodObject<{ domain_id: z.ZodUUID }>, Coding, null>({
  name: AUTHCODE,
  payload: z.object({ domain_id: z.uuid() }),
  async load(db, ctx, { domain_id }) {
    // Before the domain is read: so the code is what they asked for.
    const taskIds = await openAuthcodeTasks(db, domain_id);
    const domain = await readDomain(db, domain_id);
    const moot = domain?.registry_state !== 'active' || domain.authcode_sealed === null;
    if (domain === null || (moot && taskIds.length === 0)) return null;
    const authcode = openAuthcode(domain, ctx.sealer, ctx.now)?.authcode ?? null;
    return { domain, authcode, moot, taskIds };
  },
  async command({ registry }, { domain, authcode, moot }) {
    if (moot) return { kind: 'refused', reason: 'state_conflict' };
    const ref = refOf(domain);
    return authcode === null ? await cleared(registry, ref) : await coded(registry, ref, authcode);
  },
  backend: ({ domain }) => registryOf(domain),
  about: ({ domain, taskIds }) => ({ service_id: domain.id, tasks: taskIds }),
  accounts: ({ domain }) => [domain.account_id],
  async finish(tx, { uow, log, sealer }, { domain: before, authcode, moot, taskIds }, outcome) {
    const domain = await lockDomain(tx, before.id);
    if (domain === null) return;
    const { id } = domain;
    const refusal = outcome.kind === 'refused' ? outcome.reason : null;
    if (refusal !== null && !moot) {
      log.warn({ domain: domain.name, reason: refusal }, 'a registry refused an authorisation code');
      if (authcode !== null) await tx.run(disown, [id, before.authcode_sealed, uow.now]);
    } else if (moot) log.info({ domain: domain.name }, 'a code was asked for that is of no use any more');
    else if (domain.registry_state === 'transferred_out') await leaveNoCode(tx, uow, before);
    else if (authcode === null) await tx.run(forget, [id, uow.now]);
    else if (!sameCode(domain, before)) enqueueFor(uow, AUTHCODE, id);
    // What the registry was told may not be what holds: another code may be open since, or none.
    const holds =
      domain.registry_state === 'active' && openAuthcode(domain, sealer, uow.now)?.authcode === authcode;
    const waiting = new Set(await openAuthcodeTasks(tx, id));
    for (const taskId of taskIds.filter((one) => waiting.has(one))) {
      const task = authcodeTask(domain, taskId);
      if (moot) finishTask(uow, task, 'state_conflict');
      else if (refusal !== null) finishTask(uow, task, refusalCode(refusal));
      else if (holds) finishTask(uow, task, null);
      else cancelTask(uow, task);
    }
  },
});

/** It went to another customer while the registry was told: that one has the registry know their code, or none. */
async function leaveNoCode(
  tx: Transaction,
  uow: UnitOfWork,
  { name, authcode_sealed }: Domain,
): Promise<void> {
  for (const heir of await tx.run(inherit, [name, authcode_sealed, uow.now]))
    enqueueFor(uow, AUTHCODE, heir.id);
}

type Registry = CommandPorts['registry'];

async function coded(registry: Registry, ref: DomainRef, authcode: string | null) {
  const outcome = await registry.update({ ...ref, authcode });
  return outcome.kind === 'done' ? ({ kind: 'done', result: null } as const) : outcome;
}

/** Where a registry wants a code at all times, one that nobody knows. */
async function cleared(registry: Registry, ref: DomainRef) {
  const outcome = await coded(registry, ref, null);
  return outcome.kind === 'refused' ? await coded(registry, ref, newAuthcode()) : outcome;
}

function sameCode(a: Domain, b: Domain): boolean {
  const [one, other] = [a.authcode_sealed, b.authcode_sealed];
  return one === other || (one !== null && other !== null && one.equals(other));
}
