import type { Tld } from '../../business/core/catalog/schema/tld.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { type ChangeKind, changeOf, type DomainChange } from '../../business/domains/changes/change.ts';
import type { Domain } from '../../business/domains/domain.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';

type Tx = Parameters<typeof changeOf>[0];

interface Refuser {
  refusal(code: 'state_conflict', detail: RefusalDetail): Refusal;
}

/** Refuses a change of what was changed since its customer looked. */
export function expectVersion(
  ctx: { refusal(code: 'version_mismatch', detail: RefusalDetail): Refusal },
  found: Domain,
  expected: number | undefined,
): void {
  if (expected !== undefined && expected !== found.version)
    throw ctx.refusal('version_mismatch', { members: { current_version: found.version } });
}

/** Whether it is registered here, and neither its registry nor the law keeps it as it is. */
export function isChangeable({ registry_state, shown_state, suspensions }: Domain): boolean {
  return registry_state === 'active' && shown_state !== 'locked' && !suspensions.includes('legal');
}

/**
 * The TLD of a domain that can be changed now. What was
 * asked for before and is not done yet goes first, unless it may be `superseded`, which is answered with it.
 */
export async function changeableOrRefuse(
  tx: Tx,
  ctx: Refuser,
  { tlds }: CatalogVersion,
  found: Domain,
  kind: ChangeKind,
  superseded: (change: DomainChange) => boolean = () => false,
): Promise<{ readonly tld: Tld; readonly before: DomainChange | null }> {
  const tld = tlds.get(found.tld);
  if (tld === undefined || !isChangeable(found))
    throw ctx.refusal('state_conflict', { members: { current_state: found.shown_state } });
  const before = await changeOf(tx, found.id, kind);
  if (before !== null && !superseded(before))
    throw ctx.refusal('state_conflict', {
      members: { current_state: before.state, task_uuid: before.id },
    });
  return { tld, before };
}
