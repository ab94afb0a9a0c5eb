import type { Instant } from '../../../base/time.ts';
import type { RegisteredDomain } from '../../../drivers/registry/port.ts';
import type { RegistryState } from '../state.ts';

/** What a registration is in the books, by its statuses (RFC 3915 §3.1). It must be ours. */
export function stateOf({ statuses }: RegisteredDomain): RegistryState {
  if (statuses.includes('redemptionPeriod') || statuses.includes('pendingRestore')) return 'redemption';
  return statuses.includes('pendingDelete') ? 'pending_delete' : 'active';
}

/** The row of `domainObserved` for what a registry told now. */
export function observedRow(id: string, told: RegisteredDomain, now: Instant) {
  return {
    id,
    state: stateOf(told),
    registered_at: told.createdAt,
    registry_expire_at: told.expireAt,
    statuses: JSON.stringify(told.statuses),
    seen_at: now,
  };
}
