import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { lockService, SUSPENDABLE, suspend } from '../../business/selling/subscriptions/suspension.ts';
import { operation } from '../../operation.ts';
import { suspendedService, suspensionReason, wireSuspendedService } from './suspension.schema.ts';

export default operation({
  method: 'POST',
  path: 'staff/suspend',
  summary: 'Suspend a service',
  description:
    'Reasons are a set: each is lifted by itself, and payment lifts `unpaid` only. Suspending for a reason ' +
    'that is there already changes nothing.',
  audience: 'staff',
  scope: 'staff:suspend',
  input: z.strictObject({
    uuid: uuid.describe('The service: a license, server, webspace or domain.'),
    reason: suspensionReason,
    note: z.string().trim().max(1000).default('').describe('For operators; the customer sees the reason.'),
  }),
  output: suspendedService,
  message: { en: 'The service is suspended.', de: 'Der Dienst ist gesperrt.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'abuse', note: 'Ticket 4711' } },
  async handle(tx, ctx, input) {
    const service = await lockService(tx, ctx.uow, input.uuid);
    if (service === null) throw ctx.refusal('not_found');
    if (!SUSPENDABLE.includes(service.state)) {
      throw ctx.refusal('state_conflict', {
        members: { current_state: service.state, allowed_states: SUSPENDABLE },
      });
    }
    return wireSuspendedService(await suspend(tx, ctx.uow, service, input), ctx.locale);
  },
});
