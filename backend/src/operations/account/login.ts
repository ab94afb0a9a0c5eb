import { z } from 'zod';
import { countAttempt } from '../../api/attempt.ts';
import { email } from '../../api/person.ts';
import { countCode, demandProof, secondFactorCode } from '../../api/second-factor.ts';
import { checkCredentials } from '../../business/core/access/credentials.ts';
import { deviceCookie, knownDevice } from '../../business/core/access/known-device.ts';
import { LIMITS } from '../../business/core/access/limits.ts';
import { SESSION_SECONDS, STAFF_SESSION_SECONDS, sessionCookie } from '../../business/core/access/session.ts';
import { issueToken, newTokenSecret } from '../../business/core/access/token.ts';
import { accountOf } from '../../business/core/accounts/account.ts';
import { profileOf } from '../../business/core/accounts/profile.ts';
import { lockPerson, scopesOf } from '../../business/core/people/person.ts';
import { proveSecondFactor } from '../../business/core/people/second-factor.ts';
import { operation } from '../../operation.ts';
import { ownPassword, unlessOverloaded } from './own-password.schema.ts';
import { session, wireAccount, wireSession } from './session.schema.ts';

export default operation({
  method: 'POST',
  path: 'account/login',
  summary: 'Log in with e-mail address and password, and a code where it is asked for',
  description:
    'Sets the session cookie (`__Host-hostkeep_session`, over plain HTTP `hostkeep_session`), which is good for seven days. Every POST that carries the cookie must ' +
    'carry `csrf_token` in `X-CSRF-Token`. Who has two-factor authentication is refused with ' +
    '`two_factor_required` until the request carries `code`. Programs use API tokens instead. A second cookie ' +
    '(`__Host-hostkeep_device`, for a year) lets nobody in: it counts the tries of a device that was in before by ' +
    'themselves, so that guesses from elsewhere do not lock it out. Where they do, a link of `account/password-reset` ' +
    'makes the device that follows it a known one. An operator’s session ends after twelve hours, and after thirty ' +
    'minutes without a request; until the operator has two-factor authentication it can do nothing but set it up.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({ email, password: ownPassword, code: secondFactorCode.optional() }),
  output: session,
  message: { en: 'You are logged in.', de: 'Sie sind angemeldet.' },
  errors: ['credentials_invalid', 'two_factor_required', 'two_factor_invalid', 'rate_limited'],
  secrets: ['password', 'code', 'csrf_token'],
  example: { input: { email: 'ada@example.com', password: 'correct horse battery staple' } },
  async ask(ctx, input) {
    const device = knownDevice(ctx.sealer, ctx.deviceCookie, input.email, ctx.now);
    await countAttempt(ctx, LIMITS.login(input.email, ctx.ip, device));
    const checking = checkCredentials(ctx.db, input.email, input.password);
    const { person, ...concerning } = await unlessOverloaded(ctx, checking);
    if (person === null) throw ctx.refusal('credentials_invalid', concerning);
    await countCode(ctx, person.id, input.code, device);
    return { person, secret: newTokenSecret(), email: input.email };
  },
  async handle(tx, ctx, input, _subject, { person, secret }) {
    const locked = await lockPerson(tx, person.id);
    // Changed or disabled while the password was being checked: its sessions were ended before this one begins.
    if (locked.password_hash !== person.password_hash || locked.state !== 'active') {
      throw ctx.refusal('credentials_invalid');
    }
    const proof = await proveSecondFactor(tx, ctx.sealer, locked, input.code, ctx.uow.now);
    demandProof(ctx, proof, { accountId: person.account_id, userId: person.id });
    const seconds = sessionSeconds(locked.account_id);
    const tokenId = await issueToken(
      tx,
      {
        accountId: person.account_id,
        userId: person.id,
        kind: 'session',
        name: ctx.userAgent.slice(0, 100),
        scopes: scopesOf(locked),
        expiresAt: ctx.now.add({ seconds }),
      },
      secret,
      ctx.now,
    );
    const profile = await profileOf(tx, tokenId);
    const account = person.account_id === null ? null : await accountOf(tx, person.account_id);
    return {
      account: account === null ? null : wireAccount(profile, account),
      ...wireSession(ctx, profile),
    };
  },
  signsIn: ({ token }, { person }) => ({
    accountId: person.account_id,
    userId: person.id,
    tokenId: token.uuid,
  }),
  headers: (_data, ctx, { person, secret, email }) => ({
    'set-cookie': [
      sessionCookie(secret, sessionSeconds(person?.account_id ?? null), ctx.publicUrl),
      deviceCookie(ctx.sealer, ctx.deviceCookie, email, ctx),
    ],
  }),
});

function sessionSeconds(accountId: string | null): number {
  return accountId === null ? STAFF_SESSION_SECONDS : SESSION_SECONDS;
}
