import type { Locale } from '../../operation.ts';

/** What a domain is at its registry, as `domains.state` keeps it. */
export type RegistryState =
  | 'pending'
  | 'pending_transfer'
  | 'pending_approval'
  | 'active'
  | 'redemption'
  | 'pending_delete'
  | 'transferred_out'
  | 'deleted'
  | 'failed';

/** What customers see: the same, and what its service adds to `active`. */
export type DomainState = RegistryState | 'locked' | 'suspended' | 'expired';

export const DOMAIN_STATES = [
  'pending',
  'pending_transfer',
  'pending_approval',
  'active',
  'locked',
  'suspended',
  'expired',
  'redemption',
  'pending_delete',
  'transferred_out',
  'deleted',
  'failed',
] as const satisfies readonly DomainState[];

const TEXTS: Readonly<Record<DomainState, Readonly<Record<Locale, string>>>> = {
  pending: { en: 'Being registered', de: 'Wird registriert' },
  pending_transfer: { en: 'Being transferred', de: 'Transfer läuft' },
  pending_approval: { en: 'Waiting for approval', de: 'Wartet auf Zustimmung' },
  active: { en: 'Active', de: 'Aktiv' },
  locked: { en: 'Locked by the registry', de: 'Von der Registry gesperrt' },
  suspended: { en: 'Suspended', de: 'Gesperrt' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
  redemption: { en: 'Deleted, can be restored', de: 'Gelöscht, wiederherstellbar' },
  pending_delete: { en: 'Deleted', de: 'Gelöscht' },
  transferred_out: { en: 'Transferred away', de: 'Wegtransferiert' },
  deleted: { en: 'Deleted for good', de: 'Endgültig gelöscht' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
};

/** A state's display text. */
export function domainStateText(state: DomainState, locale: Locale): string {
  return TEXTS[state][locale];
}

/** SQL: what customers see of a domain `v` whose service is `s`. */
export const SHOWN_STATE = `CASE
  WHEN v.state <> 'active' THEN v.state
  WHEN s.state IN ('expired', 'cancelled', 'deleted') THEN 'expired'
  WHEN s.state = 'suspended' THEN 'suspended'
  WHEN v.statuses ?| ARRAY['serverHold', 'serverUpdateProhibited'] THEN 'locked'
  ELSE 'active' END`;

/** Whether a domain is over, or came to nothing. */
export function isOver(state: RegistryState): boolean {
  return state === 'transferred_out' || state === 'deleted' || state === 'failed';
}

/** The same in SQL, of a domain `v`. */
export const IS_OVER = `v.state IN ('transferred_out', 'deleted', 'failed')`;
