import { noInput } from '../../api/field.ts';
import { accountOf } from '../../business/core/accounts/account.ts';
import { profileOf } from '../../business/core/accounts/profile.ts';
import { operation } from '../../operation.ts';
import { session, wireAccount, wireSession } from './session.schema.ts';

export default operation({
  method: 'GET',
  path: 'account/session',
  summary: 'Who you are, and what your token may do',
  audience: 'person',
  scope: 'account:read',
  respectsAllowlist: true,
  input: noInput,
  output: session,
  message: { en: 'This is your session.', de: 'Das ist Ihre Sitzung.' },
  errors: [],
  example: { input: {} },
  async read(ctx) {
    const { tokenId, accountId } = ctx.caller;
    const [profile, account] = await Promise.all([
      profileOf(ctx.db, tokenId),
      accountId === null ? null : accountOf(ctx.db, accountId),
    ]);
    return { account: account === null ? null : wireAccount(profile, account), ...wireSession(ctx, profile) };
  },
});
