import { z } from 'zod';
import {
  CANCELLATION_ERRORS,
  cancellationFields,
  cancellationOutput,
  cancellationRequest,
  cancelledOrRefuse,
} from '../../api/cancellation.ts';
import { uuid } from '../../api/field.ts';
import { license } from '../../business/licenses/license.ts';
import { requestCancellation } from '../../business/selling/subscriptions/cancellation/cancellation.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'panel/cancel',
  summary: 'Cancel a license, withdraw from it, or take its cancellation back',
  description:
    'A license that has ended is not in force any more from that moment on; a product that holds a lease goes on ' +
    'until the lease ends. A withdrawal pays back the unused share of everything that was paid for it to the balance.',
  audience: 'customer',
  scope: 'panel:order',
  input: z.strictObject({ uuid, ...cancellationFields }),
  output: cancellationOutput,
  message: {
    en: 'This is what now holds of the cancellation.',
    de: 'So steht es jetzt um die Kündigung.',
  },
  errors: ['not_found', ...CANCELLATION_ERRORS],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', mode: 'end_of_term' } },
  resource: license,
  async handle(tx, ctx, input, found) {
    const request = cancellationRequest(input, ctx.caller.userId);
    const outcome = await requestCancellation(tx, ctx.uow, ctx.catalog, found.id, request);
    return cancelledOrRefuse(ctx, found.id, outcome);
  },
});
