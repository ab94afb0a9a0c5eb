import type { Instant } from '../../base/time.ts';
import { bulkInsert, bulkUpdate } from '../../db/changes.ts';
import type { Locale } from '../../operation.ts';

export type ServiceState =
  | 'pending'
  | 'provisioning'
  | 'active'
  | 'suspended'
  | 'cancel_scheduled'
  | 'expired'
  | 'cancelled'
  | 'deleted'
  | 'error';

const TEXTS: Readonly<Record<ServiceState, Readonly<Record<Locale, string>>>> = {
  pending: { en: 'Pending', de: 'In Vorbereitung' },
  provisioning: { en: 'Being set up', de: 'Wird eingerichtet' },
  active: { en: 'Active', de: 'Aktiv' },
  suspended: { en: 'Suspended', de: 'Gesperrt' },
  cancel_scheduled: { en: 'Cancelled to the end of the term', de: 'Zum Laufzeitende gekündigt' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
  cancelled: { en: 'Cancelled', de: 'Gekündigt' },
  deleted: { en: 'Deleted', de: 'Gelöscht' },
  error: { en: 'Error', de: 'Fehler' },
};

/** A state's display text. */
export function stateText(state: ServiceState, locale: Locale): string {
  return TEXTS[state][locale];
}

/** In which states a service may be renewed; an expired one comes back, an ended one does not. */
export const RENEWABLE: readonly ServiceState[] = ['active', 'suspended', 'expired'];

/**
 * Where a renewal's term begins: at the end of the paid term, also when that lies in the past but the service
 * kept running (grace); from now when it was off (rule B8).
 */
export function renewalStart(service: { expire_at: Instant; state: ServiceState }, now: Instant): Instant {
  const off = service.state === 'expired' || service.state === 'suspended';
  return off && Temporal.Instant.compare(service.expire_at, now) < 0 ? now : service.expire_at;
}

export const serviceInsert = bulkInsert<{
  id: string;
  account_id: string;
  product: string;
  item: string;
  name: string;
  custom_name: string | null;
  state: ServiceState;
  auto_renew: boolean;
  duration: number;
  duration_unit: string;
  anchor_day: number;
  expire_at: Instant;
  created_at: Instant;
}>('services', {
  id: 'uuid',
  account_id: 'uuid',
  product: 'text',
  item: 'text',
  name: 'text',
  custom_name: 'text',
  state: 'text',
  auto_renew: 'boolean',
  duration: 'integer',
  duration_unit: 'text',
  anchor_day: 'smallint',
  expire_at: 'timestamptz',
  created_at: 'timestamptz',
});

/** A paid renewal: the new end, and the service is on again. */
export const serviceRenew = bulkUpdate<{
  id: string;
  state: ServiceState;
  auto_renew: boolean;
  duration: number;
  duration_unit: string;
  anchor_day: number;
  expire_at: Instant;
}>(
  'services',
  'renew',
  {
    id: 'uuid',
    state: 'text',
    auto_renew: 'boolean',
    duration: 'integer',
    duration_unit: 'text',
    anchor_day: 'smallint',
    expire_at: 'timestamptz',
  },
  `state = n.state, auto_renew = n.auto_renew, duration = n.duration, duration_unit = n.duration_unit,
   anchor_day = n.anchor_day, expire_at = n.expire_at, version = services.version + 1`,
);

/** The service's state after its order was delivered or failed; an ended service is never renewed. */
export const serviceOutcome = bulkUpdate<{ id: string; state: ServiceState; ended_at: Instant | null }>(
  'services',
  'outcome',
  { id: 'uuid', state: 'text', ended_at: 'timestamptz' },
  'state = n.state, ended_at = n.ended_at, version = services.version + 1',
);
