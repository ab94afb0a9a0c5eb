import { z } from 'zod';
import { networkOf } from '../../base/ip.ts';
import { Overloaded } from '../../base/semaphore.ts';
import { accountOf } from '../../business/accounts/account.ts';
import { type AttemptLimit, attempt, bucketOf } from '../../business/accounts/attempt.ts';
import { checkCredentials } from '../../business/accounts/credentials.ts';
import { PASSWORD_MAX } from '../../business/accounts/password.ts';
import { profileOf } from '../../business/accounts/profile.ts';
import { ROLE_SCOPES } from '../../business/accounts/scope.ts';
import { SESSION_SECONDS, sessionCookie } from '../../business/accounts/session.ts';
import { issueToken, newTokenSecret } from '../../business/accounts/token.ts';
import { operation } from '../../operation.ts';
import { tooManyAttempts } from '../../shapes/attempt.ts';
import { email } from '../../shapes/person.ts';
import { session, wireAccount, wireSession } from '../../shapes/session.ts';

const WINDOW_SECONDS = 15 * 60;

/**
 * Guesses at one person's password stop soonest where they come from, so that somebody elsewhere cannot lock
 * that person out by guessing; the limit of all places together is above that.
 */
function limitsOf(address: string, ip: string): readonly AttemptLimit[] {
  const network = networkOf(ip);
  return [
    { bucket: bucketOf('login-from', network), limit: 200, windowSeconds: WINDOW_SECONDS },
    { bucket: bucketOf('login-pair', address, network), limit: 10, windowSeconds: WINDOW_SECONDS },
    { bucket: bucketOf('login-of', address), limit: 50, windowSeconds: WINDOW_SECONDS },
  ];
}

export default operation({
  method: 'POST',
  path: 'account/login',
  summary: 'Log in with e-mail address and password',
  description:
    'Sets the cookie `hostkeep_session`, which is good for seven days. Every POST that carries the cookie must ' +
    'carry `csrf_token` in `X-CSRF-Token`. Programs use API tokens instead.',
  audience: 'public',
  scope: null,
  idempotent: false,
  input: z.strictObject({ email, password: z.string().min(1).max(PASSWORD_MAX) }),
  output: session.extend({
    account: session.shape.account.nullable().describe('null for an operator.'),
  }),
  message: { en: 'You are logged in.', de: 'Sie sind angemeldet.' },
  errors: ['credentials_invalid', 'rate_limited'],
  secrets: ['password', 'csrf_token'],
  example: { input: { email: 'ada@example.com', password: 'correct horse battery staple' } },
  async ask(ctx, input) {
    const tooMany = await attempt(ctx.db, limitsOf(input.email, ctx.ip), ctx.now);
    if (tooMany !== null) throw ctx.refusal('rate_limited', tooManyAttempts(tooMany));
    const person = await checkCredentials(ctx.db, input.email, input.password).catch((error: unknown) => {
      if (error instanceof Overloaded) throw ctx.refusal('rate_limited', tooManyAttempts(null));
      throw error;
    });
    if (person === null) throw ctx.refusal('credentials_invalid');
    return { person, secret: newTokenSecret() };
  },
  async handle(tx, ctx, _input, _subject, { person, secret }) {
    const tokenId = await issueToken(
      tx,
      {
        accountId: person.account_id,
        userId: person.id,
        kind: 'session',
        name: ctx.userAgent.slice(0, 100),
        scopes: ROLE_SCOPES[person.role],
        expiresAt: ctx.now.add({ seconds: SESSION_SECONDS }),
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
  headers: (_data, ctx, { secret }) => ({ 'set-cookie': sessionCookie(secret, ctx.publicUrl) }),
});
