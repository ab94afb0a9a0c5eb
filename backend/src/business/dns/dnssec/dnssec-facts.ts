import type { Instant } from '../../../base/time.ts';
import type { Zone } from '../zone/zone.ts';
import type { DnssecFacts } from './dnssec.ts';

/** What the books tell of a zone's signing, with what was just learned besides. */
export function factsOf(
  { dnssec: state, dnssec_wanted: wanted, signed, dnssec_due_at: dueAt }: Zone,
  now: Instant,
  learned: Partial<Pick<DnssecFacts, 'visible' | 'registry'>> = {},
): DnssecFacts {
  return { state, wanted, signed, visible: false, dueAt, registry: null, now, ...learned };
}
