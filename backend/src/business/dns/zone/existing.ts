import type { DelegationQueries, ExistingZone } from '../../../drivers/dns/port.ts';

export type { ExistingZone };

/** Reading a zone is some hundred questions. */
const DEADLINE_MS = 8_000;

/** The zones that these domains have now, by their names, where they are asked for. */
export async function existingZones(
  { delegation }: { readonly delegation: Pick<DelegationQueries, 'existing'> },
  names: readonly string[],
  dns: { readonly import_existing: boolean } | undefined,
): Promise<ReadonlyMap<string, ExistingZone>> {
  if (!dns?.import_existing) return new Map();
  const found = names.map(async (name) => [name, await delegation.existing(name, DEADLINE_MS)] as const);
  return new Map(await Promise.all(found));
}
