import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { hashPassword } from '../src/business/core/access/password.ts';
import type { StaffRole } from '../src/business/core/access/scope.ts';
import { createStaff } from '../src/business/core/accounts/customer.ts';
import { transaction } from '../src/db/transaction.ts';
import { type Authenticator, authenticator } from './authenticator.ts';
import type { openFixture } from './fixture.ts';
import { mailedToken } from './mailed.ts';
import type { openRequests, Sent } from './requests.ts';

export const PASSWORD = 'correct horse battery staple';

/** Somebody who registered or was invited, logged in. */
export interface LoggedIn {
  readonly email: string;
  readonly password: string;
  /** What their browser sends. */
  readonly sent: Sent & { readonly cookie: string };
}

/** People who come in as people do, by the interface alone. */
export function openPeople(
  fixture: Awaited<ReturnType<typeof openFixture>>,
  { call, data }: ReturnType<typeof openRequests>,
) {
  const { clock } = fixture;
  let attempts = 0;

  async function logIn({ email, password }: { email: string; password: string }, code?: string) {
    // From an address of its own each: what is counted by address is not what these tests are about.
    attempts += 1;
    const ip = `2001:db8:${attempts.toString(16)}::1`;
    const answer = await call(
      'account/login',
      { email, password, ...(code !== undefined && { code }) },
      { ip },
    );
    assert.equal(answer.status, 200, answer.text);
    const cookie = /^__Host-hostkeep_session=([^;]*)/.exec(answer.headers['set-cookie'] ?? '')?.[1] ?? '';
    return { cookie, csrf: String(answer.body.data.csrf_token) };
  }

  async function owner(): Promise<LoggedIn & { accountId: string }> {
    attempts += 1;
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const names = { first_name: 'Ada', last_name: 'Lovelace', tos: true };
    const ip = `2001:db8:${attempts.toString(16)}::1`;
    await data('account/register', { email, password: PASSWORD, ...names }, { ip });
    const sent = await logIn({ email, password: PASSWORD });
    const { account } = await data('account/session', {}, sent);
    return { email, password: PASSWORD, sent, accountId: account.uuid };
  }

  async function member(by: LoggedIn, role: string): Promise<LoggedIn & { userId: string }> {
    attempts += 1;
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    await data(
      'account/user-invite',
      { email, role, ...(role === 'admin' && { password: by.password }) },
      by.sent,
    );
    const token = await mailedToken(fixture, 'account.invitation', email);
    const names = { first_name: 'Grace', last_name: 'Hopper' };
    const ip = `2001:db8:${attempts.toString(16)}::1`;
    const accepted = await data('account/user-accept', { token, password: PASSWORD, ...names }, { ip });
    return {
      email,
      password: PASSWORD,
      sent: await logIn({ email, password: PASSWORD }),
      userId: accepted.uuid,
    };
  }

  /** Switches two-factor authentication on; the code that confirmed it is used up. */
  async function secondFactor(person: LoggedIn) {
    const { secret } = await data('account/two-factor-setup', { password: person.password }, person.sent);
    const app = authenticator(secret, clock);
    const { recovery_codes } = await data('account/two-factor-confirm', { code: app.code() }, person.sent);
    return { app, secret: String(secret), recoveryCodes: recovery_codes as string[] };
  }

  /** Until every code that was good is good no more. */
  function later() {
    clock.set(clock.now().add({ seconds: 90 }));
  }

  /** An operator with an authenticator app, logged in. */
  async function staff(
    staffRole: StaffRole,
  ): Promise<LoggedIn & { readonly app: Authenticator; userId: string }> {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const draft = {
      email,
      passwordHash: await hashPassword(PASSWORD),
      firstName: 'Olga',
      lastName: 'O',
      staffRole,
    };
    const created = await transaction(fixture.pool, (tx) =>
      createStaff(tx, { ...draft, locale: 'en', timezone: 'UTC' }, clock.now()),
    );
    assert.ok(created.kind === 'created');
    const person = { email, password: PASSWORD, sent: await logIn({ email, password: PASSWORD }) };
    const { app } = await secondFactor(person);
    return { ...person, app, userId: created.userId };
  }

  /** An API token of theirs. */
  async function apiToken(person: LoggedIn, scopes: readonly string[] = ['*']): Promise<string> {
    return (
      await data('account/token-create', { name: 'api', scopes, password: person.password }, person.sent)
    ).token;
  }

  return { logIn, owner, member, staff, secondFactor, later, apiToken };
}
