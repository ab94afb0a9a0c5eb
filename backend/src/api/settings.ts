import { z } from 'zod';
import type { ServiceState } from '../business/selling/subscriptions/service.ts';
import {
  changeSettings,
  RENEWAL_SETTABLE,
  type Settings,
} from '../business/selling/subscriptions/settings.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';
import { customName, uuid } from './field.ts';

/** What the settings of every product take; whatever is left out stays as it is. */
export const settingsInput = z.strictObject({
  uuid,
  auto_renew: z
    .boolean()
    .optional()
    .describe('Whether it is renewed by itself. Does not by itself bring back what has expired.'),
  custom_name: customName.optional().describe('null takes the name away.'),
  expected_version: z.int().min(1).optional(),
});

export const settingsOutput = z.object({
  uuid,
  auto_renew: z.boolean(),
  custom_name: z.string().nullable(),
  version: z.int(),
});

export const SETTINGS_ERRORS = ['not_found', 'version_mismatch', 'state_conflict'] as const;

interface SettingsContext {
  readonly uow: UnitOfWork;
  refusal(code: (typeof SETTINGS_ERRORS)[number], detail?: RefusalDetail): Refusal;
}

type SetService = Settings & { readonly id: string; readonly version: number; readonly state: ServiceState };

/** Changes the settings of a service of the caller's, whose row is locked. */
export function setOrRefuse(
  ctx: SettingsContext,
  service: SetService,
  input: z.output<typeof settingsInput>,
): z.input<typeof settingsOutput> {
  if (input.expected_version !== undefined && input.expected_version !== service.version) {
    throw ctx.refusal('version_mismatch', { members: { current_version: service.version } });
  }
  const auto_renew = input.auto_renew ?? service.auto_renew;
  if (auto_renew !== service.auto_renew && !RENEWAL_SETTABLE.includes(service.state)) {
    throw ctx.refusal('state_conflict', {
      members: { current_state: service.state, allowed_states: RENEWAL_SETTABLE },
    });
  }
  const custom_name = input.custom_name === undefined ? service.custom_name : input.custom_name || null;
  const version = changeSettings(ctx.uow, service, { auto_renew, custom_name });
  return { uuid: service.id, auto_renew, custom_name, version };
}
