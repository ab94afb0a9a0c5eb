import { z } from 'zod';
import {
  CANCELLATION_ERRORS,
  cancellationFields,
  cancellationOutput,
  cancellationRequest,
  cancelledOrRefuse,
} from '../../api/cancellation.ts';
import { uuid } from '../../api/field.ts';
import { requestCancellation } from '../../business/selling/subscriptions/cancellation/cancellation.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'server/cancel',
  summary: 'Cancel a server, withdraw from it, or take its cancellation back',
  description:
    'A server that has ended is switched off at once; its disks are kept until `data_deleted_at`. A withdrawal pays ' +
    'back the unused share of everything that was paid for it, set-up included, to the balance.',
  audience: 'customer',
  scope: 'server:order',
  input: z.strictObject({
    uuid,
    ...cancellationFields,
    confirm: z.string().max(253).optional().describe('The host name of the server; not needed to `revoke`.'),
  }),
  output: cancellationOutput,
  message: {
    en: 'This is what now holds of the cancellation.',
    de: 'So steht es jetzt um die Kündigung.',
  },
  errors: ['not_found', 'confirmation_mismatch', 'resource_protected', ...CANCELLATION_ERRORS],
  example: {
    input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', mode: 'end_of_term', confirm: 'web.example.com' },
  },
  resource: server,
  async handle(tx, ctx, input, found) {
    const needed = input.mode !== 'revoke' && (!input.dry_run || input.confirm !== undefined);
    // What ends at once is deleted; a term that runs out can still be kept.
    const endsAtOnce = input.mode === 'immediate' || input.mode === 'withdraw';
    if (endsAtOnce && found.protect_delete) throw ctx.refusal('resource_protected');
    if (needed && input.confirm !== found.hostname) throw ctx.refusal('confirmation_mismatch');
    const request = cancellationRequest(input, ctx.caller.userId);
    const outcome = await requestCancellation(tx, ctx.uow, ctx.catalog, found.id, request);
    return cancelledOrRefuse(ctx, found.id, outcome);
  },
});
