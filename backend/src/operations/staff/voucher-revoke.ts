import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { revokeVoucher } from '../../business/selling/vouchers/revoke.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'staff/voucher-revoke',
  summary: 'Revoke a voucher',
  description: 'Nobody can redeem it any more. Revoking one that is revoked changes nothing.',
  audience: 'staff',
  scope: 'staff:billing',
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, revoked_at: timestamp }),
  message: { en: 'The voucher was revoked.', de: 'Der Gutschein wurde widerrufen.' },
  errors: ['not_found', 'state_conflict'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const outcome = await revokeVoucher(tx, input.uuid, ctx.uow.now);
    if (outcome.kind === 'not_found') throw ctx.refusal('not_found');
    if (outcome.kind === 'redeemed') {
      throw ctx.refusal('state_conflict', {
        members: { current_state: 'redeemed', allowed_states: ['open', 'expired'] },
      });
    }
    return { uuid: input.uuid, revoked_at: wireTime(outcome.revokedAt) };
  },
});
