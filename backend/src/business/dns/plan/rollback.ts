import { randomUUIDv7 } from 'node:crypto';
import type { RecordInput } from '../../../base/dns/read-record.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { InputProblem } from '../../../errors.ts';
import { findRevision, recordsAtRevision } from '../history/revision.ts';
import type { ZoneRecord } from '../zone/record.ts';
import { planBaseOf, type Zone } from '../zone/zone.ts';
import { recordsOf } from '../zone/zone-records.ts';
import { type Planning, planChange } from './plan.ts';

const POINTER = '/revision_uuid';

/**
 * What it takes for a locked zone to be what it was at a revision; null: it has no such revision. It is planned as the
 * replacement of all records, so what the rules of today refuse is refused.
 */
export async function planRollback(
  tx: Transaction,
  zone: Zone,
  revisionId: string,
): Promise<Planning | null> {
  const revision = await findRevision(tx, zone.id, revisionId);
  if (revision === null) return null;
  const then = await recordsAtRevision(tx, zone, revision);
  const records = await recordsOf(tx, zone.id);
  const wanted = then.filter((record) => record.managed_by === 'customer').map(asInput);
  const planned = planChange({ ...planBaseOf(zone), records }, { records: wanted }, randomUUIDv7);
  // The request has no list of records: the pointer is to what brought them, and the message names the record.
  if (!planned.ok) {
    const errors = planned.errors.map((problem) => ({
      ...problem,
      pointer: POINTER,
      message: told(wanted, problem),
    }));
    return { ok: false, errors };
  }
  const warnings = planned.plan.warnings.map((warning) => ({ ...warning, pointer: POINTER }));
  return { ok: true, plan: { ...planned.plan, warnings } };
}

function asInput({
  name,
  type,
  content,
  ttl,
  priority,
  weight,
  port,
  disabled,
  comment,
}: ZoneRecord): RecordInput {
  return { name, type, content, ttl, priority, weight, port, disabled, comment };
}

function told(wanted: readonly RecordInput[], { pointer, message }: InputProblem): string {
  const record = wanted[Number(/^\/records\/(\d+)/.exec(pointer)?.[1])];
  return record === undefined ? message : `The record ${record.name} ${record.type}: ${message}`;
}
