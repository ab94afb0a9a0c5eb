import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { domain } from '../../business/domains/domain.ts';
import { lastTransfer, pendingTransfer } from '../../business/domains/transfer/transfer.ts';
import { operation } from '../../operation.ts';
import { domainReference, namesOneDomain } from './reference.schema.ts';

export default operation({
  method: 'GET',
  path: 'domain/transfer',
  summary: 'How the last transfer of a domain goes, to you or away from you',
  description:
    'Without an answer, another registrar gets the domain at `act_at`, another customer here does not. Answer a ' +
    'transfer away with `domain/transfer-answer`; take one to you back with `domain/cancel`.',
  audience: 'customer',
  scope: 'domain:read',
  input: z.strictObject(domainReference).superRefine(namesOneDomain),
  output: z.object({
    uuid,
    domain: z.string(),
    transfer: z
      .object({
        uuid,
        direction: z.enum(['in', 'out']),
        between: z.enum(['registrars', 'customers']),
        state: z.enum(['pending', 'approved', 'rejected', 'cancelled']),
        answer: z.enum(['approve', 'reject']).nullable().describe('What whoever loses it has said.'),
        silence: z.enum(['approves', 'rejects']),
        order_id: uuid.nullable(),
        requested_at: timestamp,
        act_at: timestamp.describe('Until when whoever loses it may answer.'),
        closed_at: timestamp.nullable(),
      })
      .nullable()
      .describe('null: there was none.'),
  }),
  message: { en: 'This is the last transfer of the domain.', de: 'Das ist der letzte Transfer der Domain.' },
  errors: ['not_found'],
  example: { input: { domain: 'example.com' } },
  resource: domain,
  async read(ctx, _input, found) {
    const last = (await pendingTransfer(ctx.db, found.id)) ?? (await lastTransfer(ctx.db, found.id));
    const answer = { uuid: found.id, domain: found.name };
    if (last === null) return { ...answer, transfer: null };
    const goes = last.direction === 'out' || last.from_domain_id === found.id;
    return {
      ...answer,
      transfer: {
        uuid: last.id,
        direction: goes ? ('out' as const) : ('in' as const),
        between: last.direction === 'push' ? ('customers' as const) : ('registrars' as const),
        state: last.state,
        answer: last.answer,
        silence: last.direction === 'push' ? ('rejects' as const) : ('approves' as const),
        // Of a push the order is whoever gets it's.
        order_id: goes ? null : last.order_id,
        requested_at: wireTime(last.requested_at),
        act_at: wireTime(last.act_at),
        closed_at: wireTimeOrNull(last.closed_at),
      },
    };
  },
});
