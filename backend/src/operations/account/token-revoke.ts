import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { revokeToken } from '../../business/core/access/token.ts';
import { operation } from '../../operation.ts';
import { emit, lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { seesAllTokens } from './token.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/token-revoke',
  summary: 'End a token or a session',
  description:
    'It is refused everywhere within a second, and changes nothing any more from now on. Ending it twice ' +
    'changes nothing. A token may end itself.',
  audience: 'customer',
  scope: 'account:write',
  respectsAllowlist: true,
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, revoked_at: timestamp }),
  message: { en: 'The token was revoked.', de: 'Das Token wurde widerrufen.' },
  errors: ['not_found', 'token_restricted', 'impersonation_restricted'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const { accountId, userId, role, tokenId, impersonatedBy, limited } = ctx.caller;
    if (input.uuid !== tokenId && impersonatedBy !== null) throw ctx.refusal('impersonation_restricted');
    if (input.uuid !== tokenId && limited) throw ctx.refusal('token_restricted');
    const { now } = ctx.uow;
    const token = { id: input.uuid, accountId, userId: seesAllTokens(role) ? null : userId };
    const revokedAt = await revokeToken(tx, token, now);
    if (revokedAt === null) throw ctx.refusal('not_found');
    if (revokedAt.equals(now)) {
      emit(ctx.uow, lockedAccount(ctx.uow, accountId), {
        type: 'account.token_revoked',
        resource: null,
        body: { token_uuid: input.uuid, revoked_by: userId },
      });
    }
    return { uuid: input.uuid, revoked_at: wireTime(revokedAt) };
  },
});
