import type { RecordInput } from '../../../base/dns/read-record.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { hostZones, type ZoneDraft } from './hosting.ts';

const keep = statement<object>(
  'keep_zone_drafts',
  `INSERT INTO zone_drafts (domain_id, user_id, records)
   SELECT "domainId", "userId", records
   FROM json_to_recordset($1::json) n("domainId" uuid, "userId" uuid, records jsonb)`,
);
const take = statement<{ user_id: string | null; records: readonly RecordInput[] }>(
  'take_zone_draft',
  'DELETE FROM zone_drafts WHERE domain_id = $1 RETURNING user_id, records',
);

/** Keeps zones until their domains have come to us. */
export async function keepZoneDrafts(tx: Transaction, drafts: readonly ZoneDraft[]): Promise<void> {
  if (drafts.length > 0) await tx.run(keep, [JSON.stringify(drafts)]);
}

/** Hosts what was kept for a domain that has come; whether there was something. Signed it is once it is delegated here. */
export async function hostDraft(
  tx: Transaction,
  uow: UnitOfWork,
  { id: domainId, name }: { readonly id: string; readonly name: string },
  nameservers: readonly string[],
): Promise<boolean> {
  const [draft] = await tx.run(take, [domainId]);
  if (draft === undefined || nameservers.length === 0) return false;
  const { records, user_id: userId } = draft;
  await hostZones(tx, uow, [{ domainId, name, nameservers, records, dnssec: false, userId }]);
  return true;
}
