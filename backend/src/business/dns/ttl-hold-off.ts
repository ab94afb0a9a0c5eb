import { isDeepStrictEqual } from 'node:util';
import { type Instant, isBefore } from '../../base/time.ts';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Tld } from '../core/catalog/schema/tld.ts';

/**
 * Until when resolvers may remember what a registry published of a domain and does not publish any more (rule F7).
 * Kept with the domain, whoever had it changed: no way of asking makes the time shorter.
 */
export interface TtlHoldOff {
  /** A DS that is gone; null: there was none, or nobody remembers it. */
  readonly ds_remembered_until: Instant | null;
  /** Name servers before those of today. */
  readonly ns_remembered_until: Instant | null;
}

/** What a registry publishes of a domain; left out: it stays. */
interface Published {
  readonly nameservers?: readonly unknown[] | null;
  readonly ds?: readonly unknown[];
}

/** For how long resolvers remember what the registries of a TLD publish. */
export type ParentTtls = Pick<Tld['policy'], 'ds_ttl_hours' | 'ns_ttl_hours'>;

/** Of a TLD that the catalogue does not have any more: the longest that it takes. */
export const LONGEST_TTLS: ParentTtls = { ds_ttl_hours: 168, ns_ttl_hours: 168 };

const rememberDs = statement<object>(
  'remember_ds',
  'UPDATE domains SET ds_remembered_until = $2 WHERE id = $1',
);
// Told once more that there is none, a registry knows at least from now on.
const rememberDsNoLonger = statement<object>(
  'remember_ds_no_longer',
  `UPDATE domains SET ds_remembered_until = least(ds_remembered_until, $2)
   WHERE id = $1 AND ds_remembered_until IS NOT NULL`,
);
const rememberNs = statement<object>(
  'remember_nameservers',
  'UPDATE domains SET ns_remembered_until = $2 WHERE id = $1',
);

/** A registry is being told to take a DS away: until it says that it has, there is no telling from when the time counts. */
export async function dsLeaves(tx: Transaction, domainId: string, now: Instant): Promise<void> {
  await tx.run(rememberDs, [domainId, now.add({ hours: LONGEST_TTLS.ds_ttl_hours })]);
}

/** It has. */
export async function dsLeft(tx: Transaction, domainId: string, hours: number, now: Instant): Promise<void> {
  await tx.run(rememberDs, [domainId, now.add({ hours })]);
}

/** Keeps what is remembered from now on of what was before a change, whose step a registry has just carried out. */
export async function holdOffForResolvers(
  tx: Transaction,
  { domain_id: domainId, undo: before }: { readonly domain_id: string; readonly undo: Published },
  { ds, nameservers }: Published,
  { ds_ttl_hours: dsHours, ns_ttl_hours: nsHours }: ParentTtls,
  now: Instant,
): Promise<void> {
  if (ds?.length === 0) {
    const had = (before.ds ?? []).length > 0;
    await tx.run(had ? rememberDs : rememberDsNoLonger, [domainId, now.add({ hours: dsHours })]);
  }
  if (nameservers !== undefined && !isDeepStrictEqual(nameservers, before.nameservers))
    await tx.run(rememberNs, [domainId, now.add({ hours: nsHours })]);
}

/** In whole hours, and no more than `most`, which is what begins again once the registry is told again; 0: nobody does. */
export function hoursHeldOff(until: Instant | null, now: Instant, most: number): number {
  if (until === null || !isBefore(now, until)) return 0;
  return Math.min(most, Math.ceil(until.since(now).total('hours')));
}
