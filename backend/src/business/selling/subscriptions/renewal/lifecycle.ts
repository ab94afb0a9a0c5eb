import { type Instant, isBefore } from '../../../../base/time.ts';
import type { ServiceLifecycle } from '../product.ts';
import { endAt, isOff, type Living, noticeAt, noticeDays, renewAt, switchOffAt } from './deadlines.ts';

/** What a service's life has come to. */
export type LifecycleStep =
  /** Nothing to do but to see when something is. */
  | { readonly kind: 'wait' }
  /** The end comes near: so many days before it; the longer notices are then too late. */
  | { readonly kind: 'notice'; readonly days: number; readonly missed: readonly number[] }
  /** Renew it; `otherwise` when that cannot be. */
  | { readonly kind: 'renew'; readonly otherwise: LifecycleStep }
  /** It could not be renewed, and there is time still: tell it, and try again. */
  | { readonly kind: 'unpaid' }
  /** The term and its grace are over. */
  | { readonly kind: 'switch_off' }
  /** It was cancelled to the end of its term, and that is now. */
  | { readonly kind: 'end' }
  /** What was kept of it is to go. */
  | { readonly kind: 'delete' };

const WAIT: LifecycleStep = { kind: 'wait' };
const UNPAID: LifecycleStep = { kind: 'unpaid' };
const SWITCH_OFF: LifecycleStep = { kind: 'switch_off' };
const DELETE: LifecycleStep = { kind: 'delete' };

/** A service as its life sees it. */
export interface Decided extends Living {
  readonly suspensions: readonly string[];
  /** Days of the notices that were given of this end. */
  readonly noticed: readonly number[];
}

/** What is to happen to a service now: a pure function of what it is and of the time. */
export function lifecycleStep(service: Decided, life: ServiceLifecycle, now: Instant): LifecycleStep {
  const reached = (moment: Instant) => !isBefore(now, moment);
  switch (service.state) {
    case 'pending':
    case 'provisioning':
    case 'error':
    case 'deleted':
      return WAIT;
    case 'expired':
    case 'cancelled':
      return mayDelete(service, now) ? DELETE : WAIT;
    case 'active':
    case 'cancel_scheduled':
    case 'suspended': {
      if (service.ends) return reached(endAt(service, life)) ? { kind: 'end' } : WAIT;
      if (isOff(service)) {
        const over = mayDelete(service, now);
        if (service.auto_renew) return { kind: 'renew', otherwise: over ? DELETE : UNPAID };
        return over ? DELETE : WAIT;
      }
      const over = reached(switchOffAt(service, life));
      if (service.auto_renew && reached(renewAt(service, life))) {
        return { kind: 'renew', otherwise: over ? SWITCH_OFF : UNPAID };
      }
      return over ? SWITCH_OFF : notice(service, life, now);
    }
  }
}

/** What the law wants kept is never deleted by itself. */
function mayDelete({ delete_at, suspensions }: Decided, now: Instant): boolean {
  return delete_at !== null && !isBefore(now, delete_at) && !suspensions.includes('legal');
}

function notice(service: Decided, life: ServiceLifecycle, now: Instant): LifecycleStep {
  const due = noticeDays(service, life).filter(
    (days) => !isBefore(now, noticeAt(service, days)) && !service.noticed.includes(days),
  );
  const days = due.at(-1);
  if (days === undefined || service.noticed.some((given) => given < days)) return WAIT;
  return { kind: 'notice', days, missed: due.slice(0, -1) };
}
