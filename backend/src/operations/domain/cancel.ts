import { z } from 'zod';
import {
  CANCELLATION_ERRORS,
  cancellationFields,
  cancellationOutput,
  cancellationRequest,
  cancelledOrRefuse,
} from '../../api/cancellation.ts';
import { domain } from '../../business/domains/domain.ts';
import { requestCancellation } from '../../business/selling/subscriptions/cancellation/cancellation.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/cancel',
  summary: 'Cancel a domain, withdraw from it, or take its cancellation back',
  description:
    'A domain that has ended is not reachable any more at once; it is deleted at its registry at `data_deleted_at`, ' +
    'and can be restored there for some time after that. While its registry may be registering or renewing it, it is ' +
    'not cancelled: wait for the task that the refusal names. A transfer to you is taken back if it is not through yet.',
  audience: 'customer',
  scope: 'domain:order',
  input: z
    .strictObject({
      ...domainReference,
      ...cancellationFields,
      confirm: z.string().max(255).optional().describe('The name in punycode; not needed to `revoke`.'),
    })
    .superRefine(namesOneDomain),
  output: cancellationOutput,
  message: {
    en: 'This is what now holds of the cancellation.',
    de: 'So steht es jetzt um die Kündigung.',
  },
  errors: ['not_found', 'confirmation_mismatch', 'resource_protected', ...CANCELLATION_ERRORS],
  example: { input: { domain: 'example.com', mode: 'end_of_term', confirm: 'example.com' } },
  resource: domain,
  async handle(tx, ctx, input, found) {
    const needed = input.mode !== 'revoke' && (!input.dry_run || input.confirm !== undefined);
    if (needed && input.confirm?.toLowerCase() !== found.name) throw ctx.refusal('confirmation_mismatch');
    if (found.protection && input.mode !== 'revoke' && !input.dry_run)
      throw ctx.refusal('resource_protected');
    const request = cancellationRequest(input, ctx.caller.userId);
    const outcome = await requestCancellation(tx, ctx.uow, ctx.catalog, found.id, request);
    return cancelledOrRefuse(ctx, found.id, outcome);
  },
});
