import { z } from 'zod';
import { customName, timestamp, uuid } from '../../api/field.ts';
import { countCode, demandOwnSecondFactor, secondFactorCode } from '../../api/second-factor.ts';
import { wireTimeOrNull } from '../../base/time.ts';
import { domain } from '../../business/domains/domain.ts';
import { changeDomainSettings } from '../../business/domains/settings.ts';
import { isOver } from '../../business/domains/state.ts';
import { notifyUnlocked } from '../../business/domains/transfer/unlocked.ts';
import { RENEWAL_SETTABLE } from '../../business/selling/subscriptions/settings.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/settings',
  summary: 'Change whether a domain renews itself, its locks, and its name of your own',
  description:
    'Whatever is left out stays as it is. To take the transfer lock off in a session, who has two-factor ' +
    'authentication gives a code; the owner is told by mail.',
  audience: 'customer',
  scope: 'domain:write',
  input: z
    .strictObject({
      ...domainReference,
      auto_renew: z.boolean().optional(),
      transfer_lock: z.boolean().optional(),
      custom_name: customName.optional().describe('null takes the name away.'),
      protection: z
        .boolean()
        .optional()
        .describe('While it is on, the domain is neither cancelled nor handed over.'),
      code: secondFactorCode.optional(),
      expected_version: z.int().min(1).optional(),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    auto_renew: z.boolean(),
    transfer_lock: z.boolean(),
    transfer_lock_until: timestamp.nullable().describe('Until when it stays locked whatever is set.'),
    custom_name: z.string().nullable(),
    protection: z.boolean(),
    version: z.int(),
  }),
  message: {
    en: 'The settings of the domain were changed.',
    de: 'Die Einstellungen der Domain wurden geändert.',
  },
  errors: [
    'not_found',
    'version_mismatch',
    'state_conflict',
    'two_factor_required',
    'two_factor_invalid',
    'rate_limited',
  ],
  secrets: ['code'],
  example: { input: { domain: 'example.com', auto_renew: true } },
  resource: domain,
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, input, found) {
    if (input.expected_version !== undefined && input.expected_version !== found.version)
      throw ctx.refusal('version_mismatch', { members: { current_version: found.version } });
    // It may be somebody else's by now: nobody is told that it was unlocked.
    if (isOver(found.registry_state))
      throw ctx.refusal('state_conflict', { members: { current_state: found.shown_state } });
    const wanted = {
      auto_renew: input.auto_renew ?? found.auto_renew,
      transfer_lock: input.transfer_lock ?? found.transfer_lock,
      protection: input.protection ?? found.protection,
      custom_name: input.custom_name === undefined ? found.custom_name : input.custom_name || null,
    };
    const switched = wanted.auto_renew !== found.auto_renew;
    if (switched && (!RENEWAL_SETTABLE.includes(found.state) || found.registry_state === 'redemption')) {
      throw ctx.refusal('state_conflict', {
        members: { current_state: found.shown_state, allowed_states: RENEWAL_SETTABLE },
      });
    }
    if (found.transfer_lock && !wanted.transfer_lock) {
      await demandOwnSecondFactor(tx, ctx, input.code);
      notifyUnlocked(ctx.uow, found, ctx.ip);
    }
    const version = changeDomainSettings(ctx.uow, found, wanted);
    return {
      uuid: found.id,
      domain: found.name,
      ...wanted,
      transfer_lock_until: wireTimeOrNull(found.transfer_lock_until),
      version,
    };
  },
});
