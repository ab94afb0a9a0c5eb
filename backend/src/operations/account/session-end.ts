import { z } from 'zod';
import { timestamp, uuid } from '../../api/field.ts';
import { wireTime } from '../../base/time.ts';
import { endOwnSession } from '../../business/core/access/token.ts';
import { operation } from '../../operation.ts';
import { emit, lockedAccount } from '../../unit-of-work/unit-of-work.ts';

export default operation({
  method: 'POST',
  path: 'account/session-end',
  summary: 'End one of your own sessions',
  description:
    'Whatever your role may do besides. `account/tokens` lists your sessions with their uuids. It is refused ' +
    'everywhere within a second; ending it twice changes nothing.',
  audience: 'person',
  scope: 'account:security',
  security: true,
  input: z.strictObject({ uuid }),
  output: z.object({ uuid, revoked_at: timestamp }),
  message: { en: 'The session has ended.', de: 'Die Sitzung ist beendet.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  async handle(tx, ctx, input) {
    const { accountId, userId } = ctx.caller;
    const { now } = ctx.uow;
    const endedAt = await endOwnSession(tx, { id: input.uuid, userId }, now);
    if (endedAt === null) throw ctx.refusal('not_found');
    if (accountId !== null && endedAt.equals(now)) {
      emit(ctx.uow, lockedAccount(ctx.uow, accountId), {
        type: 'account.token_revoked',
        resource: null,
        body: { token_uuid: input.uuid, revoked_by: userId },
      });
    }
    return { uuid: input.uuid, revoked_at: wireTime(endedAt) };
  },
});
