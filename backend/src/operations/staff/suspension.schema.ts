import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { type LockedService, SUSPENSION_REASONS } from '../../business/selling/subscriptions/suspension.ts';
import type { Locale } from '../../operation.ts';

export const suspensionReason = z.enum(SUSPENSION_REASONS);

/** A service as its suspensions make it. */
export const suspendedService = z.object({
  uuid,
  account_uuid: uuid,
  product: z.enum(['license', 'server', 'webspace', 'domain']),
  state: z.string(),
  state_text: z.string(),
  suspensions: z.array(z.object({ reason: suspensionReason, note: z.string(), since: timestamp })),
});

export function wireSuspendedService(service: LockedService, locale: Locale) {
  return {
    uuid: service.id,
    account_uuid: service.account_id,
    product: service.product,
    state: service.state,
    state_text: stateText(service.state, locale),
    suspensions: service.suspensions.map((one) => ({
      reason: one.reason,
      note: one.note,
      since: wireTime(one.since),
    })),
  };
}
