import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { DELEGATE, enqueueZone, PUBLISH } from '../publish/zone-jobs.ts';
import { dsLeaves } from '../ttl-hold-off.ts';
import type { Zone } from '../zone/zone.ts';
import { type DnssecStep, isToBeSigned, registryTold } from './dnssec.ts';

const write = statement<object>(
  'step_dnssec',
  'UPDATE zones SET dnssec = $2, dnssec_due_at = $3 WHERE id = $1',
);
// The registry's own job looks at the version: what it read before is not what the books say any more.
const tellDomain = statement<object>(
  'set_domain_ds',
  `WITH told AS (UPDATE domains SET ds = $2 WHERE id = $1 AND ds IS DISTINCT FROM $2::jsonb RETURNING id)
   UPDATE services s SET version = s.version + 1 FROM told WHERE s.id = told.id`,
);

// Who still asks the name servers before does not learn our keys there, and must not hear of a DS (rule F7).
const holdBack = statement<object>(
  'hold_ds_back',
  `UPDATE zones z SET dnssec_due_at = v.ns_remembered_until FROM domains v
   WHERE z.id = $1 AND v.id = z.domain_id AND v.ns_remembered_until > $2`,
);
const wish = statement<object>(
  'wish_dnssec',
  `WITH wished AS (UPDATE zones SET dnssec_wanted = $2 WHERE id = $1 RETURNING domain_id)
   UPDATE domains v SET dnssec = $2 FROM wished WHERE v.id = wished.domain_id`,
);

/** Keeps, with the zone and with its domain, whether it is to be signed. The zone as it is then. */
export async function wishSigned(tx: Transaction, zone: Zone, wanted: boolean): Promise<Zone> {
  await tx.run(wish, [zone.id, wanted]);
  return { ...zone, dnssec_wanted: wanted };
}

/**
 * Goes a step on the way of signing, of a zone that is locked and in this unit of work's hands, and enqueues what the step
 * asks for. The zone as it is then.
 */
export async function takeStep(
  tx: Transaction,
  uow: UnitOfWork,
  zone: Zone,
  { state, dueAt }: DnssecStep,
): Promise<Zone> {
  const isSame = state === zone.dnssec && sameMoment(dueAt, zone.dnssec_due_at);
  if (isSame) return zone;
  await tx.run(write, [zone.id, state, dueAt]);
  if (state === 'signing' && zone.domain_id !== null) await tx.run(holdBack, [zone.id, uow.now]);
  const told = registryTold(state);
  if (told === 'none' && zone.domain_id !== null) await dsLeaves(tx, zone.domain_id, uow.now);
  if (told !== null && state !== zone.dnssec && zone.domain_id !== null) {
    await tx.run(tellDomain, [zone.domain_id, JSON.stringify(told === 'ds' ? zone.ds : [])]);
    enqueueZone(uow, DELEGATE, zone.id);
  }
  if (isToBeSigned(state) !== zone.signed) enqueueZone(uow, PUBLISH, zone.id);
  return { ...zone, dnssec: state, dnssec_due_at: dueAt };
}

function sameMoment(a: Temporal.Instant | null, b: Temporal.Instant | null): boolean {
  return a === b || (a !== null && b !== null && a.equals(b));
}
