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
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'webspace/cancel',
  summary: 'Cancel a webspace, withdraw from it, or take its cancellation back',
  description:
    "A webspace that has ended shows the provider's page at once; its files and databases are kept until " +
    '`data_deleted_at`. A withdrawal pays back the unused share of everything that was paid for it to the balance.',
  audience: 'customer',
  scope: 'webspace:order',
  input: z.strictObject({
    uuid,
    ...cancellationFields,
    confirm: z
      .string()
      .max(253)
      .optional()
      .describe('The user name of the webspace; not needed to `revoke`.'),
  }),
  output: cancellationOutput,
  message: { en: 'The cancellation was accepted.', de: 'Die Kündigung wurde angenommen.' },
  errors: ['not_found', 'confirmation_mismatch', ...CANCELLATION_ERRORS],
  example: {
    input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', mode: 'end_of_term', confirm: 'shop' },
  },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    const needed = input.mode !== 'revoke' && (!input.dry_run || input.confirm !== undefined);
    if (needed && input.confirm !== found.username) throw ctx.refusal('confirmation_mismatch');
    const request = cancellationRequest(input, ctx.caller.userId);
    const outcome = await requestCancellation(tx, ctx.uow, ctx.catalog, found.id, request);
    return cancelledOrRefuse(ctx, found.id, outcome);
  },
});
