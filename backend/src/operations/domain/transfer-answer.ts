import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { countCode, demandOwnSecondFactor, secondFactorCode } from '../../api/second-factor.ts';
import { wireTime } from '../../base/time.ts';
import { domain } from '../../business/domains/domain.ts';
import { enqueueFor, PUSH, TRANSFER_OUT } from '../../business/domains/domain-jobs.ts';
import { pendingTransfer, transferAnswered } from '../../business/domains/transfer/transfer.ts';
import { orderJob } from '../../business/selling/orders/order-job.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'POST',
  path: 'domain/transfer-answer',
  summary: 'Say yes or no to somebody who asks for a domain of yours',
  description:
    'Of a transfer to another registrar, silence approves; of one to another customer here, it rejects. To approve ' +
    'in a session, who has two-factor authentication gives a code.',
  audience: 'customer',
  scope: 'domain:transfer',
  input: z
    .strictObject({
      ...domainReference,
      answer: z.enum(['approve', 'reject']),
      code: secondFactorCode.optional(),
    })
    .superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    transfer_uuid: uuid,
    answer: z.enum(['approve', 'reject']),
    requested_at: timestamp,
  }),
  message: { en: 'The answer is passed on.', de: 'Die Antwort wird weitergegeben.' },
  errors: [
    'not_found',
    'state_conflict',
    'resource_protected',
    'two_factor_required',
    'two_factor_invalid',
    'rate_limited',
  ],
  secrets: ['code'],
  example: { input: { domain: 'example.com', answer: 'reject' } },
  resource: domain,
  ask: (ctx, input) => countCode(ctx, ctx.caller.userId, input.code),
  async handle(tx, ctx, input, found) {
    const transfer = await pendingTransfer(tx, found.id);
    const asked = transfer !== null && transfer.domain_id === found.id ? transfer.direction === 'out' : true;
    if (transfer === null || !asked || transfer.answer !== null)
      throw ctx.refusal('state_conflict', { members: { current_state: found.shown_state } });
    const { answer } = input;
    if (answer === 'approve') {
      if (found.protection) throw ctx.refusal('resource_protected');
      await demandOwnSecondFactor(tx, ctx, input.code);
    }
    ctx.uow.changes.add(transferAnswered, { id: transfer.id, answer });
    if (transfer.direction === 'out') enqueueFor(ctx.uow, TRANSFER_OUT, found.id);
    else if (transfer.order_id !== null) ctx.uow.jobs.push(orderJob(PUSH, transfer.order_id));
    return {
      uuid: found.id,
      domain: found.name,
      transfer_uuid: transfer.id,
      answer,
      requested_at: wireTime(transfer.requested_at),
    };
  },
});
