import { z } from 'zod';
import { endApiTokens, linkToken, newPassword } from '../../api/person.ts';
import { countCode, demandProof, secondFactorCode } from '../../api/second-factor.ts';
import { deviceCookie, knownDevice } from '../../business/core/access/known-device.ts';
import { findLink, useLink } from '../../business/core/people/mailed-link.ts';
import { changePassword } from '../../business/core/people/password-change.ts';
import { lockPerson } from '../../business/core/people/person.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import { isUnprovedOwner, takeOver } from '../../business/core/people/take-over.ts';
import { operation } from '../../operation.ts';
import { hashNewPassword } from './own-password.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/password-reset-confirm',
  summary: 'Set a new password with a link',
  description:
    'The token is what follows # in the link. All sessions end; API tokens stay unless `end_api_tokens` is true. Who has two-factor ' +
    'authentication needs a code as well: the mailbox alone does not let anybody in. Only of an account whose ' +
    'owner never confirmed the address may somebody else have registered it: this confirms it, switches two-factor ' +
    'authentication off, and ends API tokens, webhooks, invitations and the access of other people.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({
    token: linkToken,
    new_password: newPassword,
    end_api_tokens: endApiTokens,
    code: secondFactorCode.optional(),
  }),
  output: z.object({ changed: z.boolean() }),
  message: {
    en: 'The password was changed. Log in with it.',
    de: 'Das Passwort wurde geändert. Melden Sie sich damit an.',
  },
  errors: [
    'link_invalid',
    'two_factor_required',
    'two_factor_invalid',
    'validation_failed',
    'rate_limited',
    'resource_locked',
  ],
  secrets: ['token', 'new_password', 'code'],
  example: {
    input: {
      token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      new_password: 'incorrect zebra dynamo clip',
    },
  },
  async ask(ctx, input) {
    const link = await findLink(ctx.db, 'password_reset', input.token, ctx.now);
    // Passwords cost much to compute: not for who has no link.
    if (link === null) throw ctx.refusal('link_invalid');
    const device = knownDevice(ctx.sealer, ctx.deviceCookie, link.email, ctx.now);
    await countCode(ctx, link.user_id, input.code, device);
    const hash = await hashNewPassword(ctx, input.new_password, link.email, 'new_password');
    return { hash, email: link.email };
  },
  async handle(tx, ctx, input, _subject, { hash }) {
    const link = await useLink(tx, ctx.uow, 'password_reset', input.token);
    if (link === null) throw ctx.refusal('link_invalid');
    const person = await lockPerson(tx, link.user_id);
    if (person.state !== 'active') throw ctx.refusal('link_invalid');
    const change = { ...ctx, caller: null };
    if (isUnprovedOwner(person)) await takeOver(tx, person, change);
    else demandProof(ctx, await proveSecondFactor(tx, ctx.sealer, person, input.code, ctx.uow.now));
    const andApiTokens = input.end_api_tokens;
    await changePassword(tx, person, { passwordHash: hash, andApiTokens }, change);
    return { changed: true };
  },
  // Who may set the password is not kept from logging in with it by those who guess it.
  headers: (_data, ctx, { email }) => ({
    'set-cookie': deviceCookie(ctx.sealer, ctx.deviceCookie, email, ctx),
  }),
});
