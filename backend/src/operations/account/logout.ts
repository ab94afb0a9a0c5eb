import { z } from 'zod';
import { noInput } from '../../api/field.ts';
import { endedCookie } from '../../business/core/access/session.ts';
import { endSession } from '../../business/core/access/token.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'account/logout',
  summary: 'End the session',
  description:
    'Ends the session that the request came with and takes its cookie away. An API token is not a session ' +
    'and stays: `account/token-revoke` ends it.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: noInput,
  output: z.object({ ended: z.boolean().describe('Whether there was a session to end.') }),
  message: { en: 'You are logged out.', de: 'Sie sind abgemeldet.' },
  errors: [],
  example: { input: {} },
  async handle(tx, ctx) {
    return { ended: ctx.caller !== null && (await endSession(tx, ctx.caller.tokenId, ctx.now)) };
  },
  headers: (_data, ctx) => ({ 'set-cookie': endedCookie(ctx.publicUrl) }),
});
