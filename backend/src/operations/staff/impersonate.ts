import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { impersonate } from '../../business/core/people/impersonation.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/impersonate',
  summary: "Begin a session in a customer's place",
  description:
    "A session of the customer's owner for one hour, which cannot be prolonged. It sees no license keys and no " +
    'passwords, and changes nothing about who gets into the account. The customer reads of it, with the ' +
    'reason, by mail and in their log, and can end it.',
  audience: 'staff',
  scope: 'staff:impersonate',
  security: true,
  input: z.strictObject({
    customer_uuid: uuid.describe('The account.'),
    reason: z.string().trim().min(3).max(200).describe('The customer reads it.'),
  }),
  output: z.object({ token: z.string(), token_uuid: uuid, account_uuid: uuid, expires_at: timestamp }),
  message: {
    en: "You act in the customer's place. They are told.",
    de: 'Sie handeln an Stelle des Kunden. Er erfährt davon.',
  },
  errors: ['not_found', 'state_conflict'],
  secrets: ['token'],
  example: {
    input: { customer_uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', reason: 'Ticket 4711: no backups' },
  },
  async handle(tx, ctx, input) {
    const begun = await impersonate(tx, ctx.uow, ctx.caller.userId, {
      accountId: input.customer_uuid,
      reason: input.reason,
    });
    if (begun.kind === 'not_found') throw ctx.refusal('not_found');
    if (begun.kind === 'closed') {
      throw ctx.refusal('state_conflict', { members: { current_state: 'closed' } });
    }
    return {
      token: begun.secret,
      token_uuid: begun.tokenId,
      account_uuid: input.customer_uuid,
      expires_at: wireTime(begun.expiresAt),
    };
  },
});
