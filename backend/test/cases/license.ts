import type { Caller, Harness } from '../harness.ts';

/** A package that binds one address, for a term that it is sold for. */
export function licenseTerm({ catalog }: Harness) {
  const pack = catalog.license_packages.find((known) => known.sold && known.ip_limit === 1);
  const term = pack?.durations[0];
  if (pack === undefined || term === undefined) throw new Error('the catalogue sells no such license');
  return { pack_uuid: pack.uuid, ...term };
}

export async function licenseOrder(harness: Harness) {
  return { ...licenseTerm(harness), tos: true, cancellation: true };
}

/** A customer with a license. */
export async function licensed(harness: Harness): Promise<{ as: Caller; uuid: string; key: string }> {
  const as = await harness.customer();
  const ordered = await harness.data('panel/order', { as, input: await licenseOrder(harness) });
  return { as, uuid: ordered.license_uuid, key: ordered.license_key };
}
