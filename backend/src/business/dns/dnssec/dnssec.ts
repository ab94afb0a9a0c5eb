import { type Instant, isBefore } from '../../../base/time.ts';

/**
 * Where the signing of a zone has come to (rule F7). Between `signing` and `unsigning` the zone is signed; a DS is at the
 * parent, or may still be remembered of it, from `delegating` until the end of `waiting`.
 *
 * off → signing → delegating → on → withdrawing → waiting → unsigning → off
 */
export type DnssecState =
  | 'off'
  /** Is being signed; every name server must serve it so. */
  | 'signing'
  /** Its DS goes to the registry. */
  | 'delegating'
  | 'on'
  /** Its DS is taken from the registry. */
  | 'withdrawing'
  /** Resolvers may still remember the DS. */
  | 'waiting'
  /** Signatures are taken away. */
  | 'unsigning';

/** What has come to pass, as far as it matters here. */
export interface DnssecFacts {
  readonly state: DnssecState;
  /** Whether its customer wants it signed. */
  readonly wanted: boolean;
  /** Whether the name server last said that it signs it. */
  readonly signed: boolean;
  /** Whether every name server serves what the primary has. */
  readonly visible: boolean;
  /** Until when it stays where it is, whatever else; null: as long as it takes. */
  readonly dueAt: Instant | null;
  /** What the registry just did of what it was told; where the DS went, how long resolvers may still remember it. */
  readonly registry: { readonly remembered: { readonly hours: number } } | 'refused' | null;
  readonly now: Instant;
}

export interface DnssecStep {
  readonly state: DnssecState;
  readonly dueAt: Instant | null;
}

/** A registry that does not take a DS away is told again. */
const TOLD_AGAIN = { hours: 1 };

/** Where it is now; the same state when nothing was to happen. */
export function nextStep(facts: DnssecFacts): DnssecStep {
  const { state, wanted, signed, visible, dueAt, registry, now } = facts;
  const isWaiting = dueAt !== null && isBefore(now, dueAt);
  const at = (next: DnssecState, due: Instant | null = null): DnssecStep => ({ state: next, dueAt: due });
  switch (state) {
    case 'off':
      return at(wanted ? 'signing' : 'off');
    case 'signing':
      // No DS was ever told.
      if (!wanted) return at('unsigning');
      if (signed && visible && !isWaiting) return at('delegating');
      return at('signing', dueAt);
    case 'delegating':
      if (!wanted || registry === 'refused') return at('withdrawing');
      return at(registry === null ? 'delegating' : 'on');
    case 'on':
      return at(wanted ? 'on' : 'withdrawing');
    case 'withdrawing':
      if (registry === 'refused') return at('withdrawing', now.add(TOLD_AGAIN));
      if (registry !== null) return at('waiting', now.add(registry.remembered));
      return wanted ? at('delegating') : at('withdrawing', dueAt);
    case 'waiting':
      // It never stopped being signed.
      if (wanted) return at('delegating');
      return isWaiting ? at('waiting', dueAt) : at('unsigning');
    case 'unsigning':
      if (signed) return at('unsigning');
      return at(wanted ? 'signing' : 'off');
  }
}

/** Whether the zone is to be signed at the name servers. */
export function isToBeSigned(state: DnssecState): boolean {
  return state !== 'off' && state !== 'unsigning';
}

/** Whether the registry is to have the zone's DS; null: it is not told anything. */
export function registryTold(state: DnssecState): 'ds' | 'none' | null {
  if (state === 'delegating') return 'ds';
  return state === 'withdrawing' ? 'none' : null;
}

/** Whether a resolver may hold a DS for it, so that it must not stop being signed, nor its name servers change. */
export function isDelegatedSigned(state: DnssecState): boolean {
  return state === 'delegating' || state === 'on' || state === 'withdrawing' || state === 'waiting';
}
