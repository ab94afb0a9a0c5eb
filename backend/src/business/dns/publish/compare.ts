import { type DnssecState, isDelegatedSigned } from '../dnssec/dnssec.ts';

/** A zone that the books have, or that still has to go from the name server. */
export interface RecordedZone {
  readonly id: string;
  readonly name: string;
  readonly published_version: number;
  readonly dnssec: DnssecState;
  readonly removed: boolean;
}

export const DIFFERENCE_KINDS = ['zone_unknown', 'zone_missing'] as const;

interface Difference {
  readonly kind: (typeof DIFFERENCE_KINDS)[number];
  /** The zone's name. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Beyond either, something else is wrong than single zones, and nothing is repaired (rule C3). */
const MOST_MISSING = 10;
const MOST_MISSING_SHARE = 0.01;

/**
 * What differs between the books, as they were before and after the name server said which zones it has, and what it
 * said; and the ids of those that can be published again without losing anything.
 */
export function compareZones(
  before: readonly RecordedZone[],
  after: readonly RecordedZone[],
  served: readonly string[],
): { readonly differences: readonly Difference[]; readonly missing: readonly string[] } {
  const known = new Set([...before, ...after].map(({ name }) => name));
  const there = new Set(served);
  const unknown = served.filter((name) => !known.has(name));
  const still = new Set(after.filter(({ removed }) => !removed).map(({ id }) => id));
  const missing = before.filter(
    ({ id, name, removed, published_version: published }) =>
      !removed && published > 0 && still.has(id) && !there.has(name),
  );
  const limit = Math.max(MOST_MISSING, before.length * MOST_MISSING_SHARE);
  const repairable = missing.length > limit ? [] : missing.filter(({ dnssec }) => !isDelegatedSigned(dnssec));
  return {
    differences: [
      ...unknown.map((subject): Difference => ({ kind: 'zone_unknown', subject, detail: {} })),
      ...missing.map(
        ({ name, dnssec }): Difference => ({ kind: 'zone_missing', subject: name, detail: { dnssec } }),
      ),
    ],
    missing: repairable.map(({ id }) => id),
  };
}
