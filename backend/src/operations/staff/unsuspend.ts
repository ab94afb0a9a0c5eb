import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { lockService, unsuspend } from '../../business/selling/subscriptions/suspension.ts';
import { operation } from '../../operation.ts';
import { suspendedService, suspensionReason, wireSuspendedService } from './suspension.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/unsuspend',
  summary: 'Lift one reason that a service is suspended for',
  description:
    'The service is on again when no reason is left. Lifting one that is not there changes nothing.',
  audience: 'staff',
  scope: 'staff:suspend',
  input: z.strictObject({ uuid, reason: suspensionReason }),
  output: suspendedService,
  message: { en: 'The suspension was lifted.', de: 'Die Sperre wurde aufgehoben.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'abuse' } },
  async handle(tx, ctx, input) {
    const service = await lockService(tx, ctx.uow, input.uuid);
    if (service === null) throw ctx.refusal('not_found');
    // Payment alone brings back what was switched off for want of it: the time until then is not charged (rule B8).
    if (input.reason === 'unpaid' && service.delete_at !== null) {
      throw ctx.refusal('state_conflict', {
        members: { current_state: service.state, allowed_states: ['active'] },
      });
    }
    return wireSuspendedService(await unsuspend(tx, ctx.uow, service, input.reason), ctx.locale);
  },
});
