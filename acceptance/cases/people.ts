import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { cheapestPackage, licenseOrder } from '../catalogue.ts';
import { type Credentials, freshCredentials, register } from '../customer.ts';
import {
  invitation as invitationShape,
  recoveryCodes,
  twoFactorSetup,
  users as usersShape,
} from '../documented/account.ts';
import { session as sessionShape } from '../documented/payloads.ts';
import { refusal, success } from '../envelope.ts';
import { eventually } from '../eventually.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';
import { loggedIn, staff } from '../session.ts';
import { totp } from '../totp.ts';

/** Who may enter an account: second factors, links by mail, invited people, operators. Needs one who reads mails. */
export function peopleCases({ api }: Installation, operator: Operator): void {
  test('with a second factor the password alone opens nothing; each code opens once', async () => {
    const credentials = await registered(api);
    const first = await loggedIn(api, credentials);
    const denied = await first.post('account/two-factor-setup', { password: 'not the password' });
    refusal(denied, 403, 'password_invalid');
    const begun = await first.post('account/two-factor-setup', { password: credentials.password });
    const secret = stringAt(success(begun, twoFactorSetup), '/secret');
    refusal(await first.post('account/two-factor-confirm', { code: '0000000' }), 403, 'two_factor_invalid');
    const confirmed = await first.post('account/two-factor-confirm', { code: totp(secret) });
    const recovery = listAt(success(confirmed, recoveryCodes), '/recovery_codes').map(String);
    assert.ok(recovery.length >= 8 && new Set(recovery).size === recovery.length);

    const login = (code?: string) =>
      api.as(null).post('account/login', { ...credentials, ...(code === undefined ? {} : { code }) });
    refusal(await login(), 403, 'two_factor_required');
    // The clocks agree to half a minute: the code that comes next is good already.
    const next = totp(secret, 1);
    const answers = await Promise.all([login(next), login(next)]);
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 403]);
    const spare = recovery[0] ?? '';
    success(await login(spare));
    refusal(await login(spare), 403, 'two_factor_invalid');
    const wrong = await api
      .as(null)
      .post('account/login', { ...credentials, password: 'not the password', code: recovery[1] });
    refusal(wrong, 401, 'credentials_invalid');

    const second = await loggedIn(api, credentials, recovery[2]);
    const session = success(await second.get('account/session'), sessionShape);
    assert.deepEqual(session.two_factor, { enabled: true, methods: ['totp'] });
    const off = { password: credentials.password, code: recovery[3] };
    success(await second.post('account/two-factor-disable', off));
    success(await login());
  });

  test('an address is verified by the link in the mail, once', async () => {
    const credentials = await registered(api);
    const session = await loggedIn(api, credentials);
    assert.equal(at(success(await session.get('account/session')), '/account/email_verified'), false);
    const token = await mailedToken(operator, credentials.email, 'verify-email');
    success(await api.as(null).post('account/email-verify', { token }));
    refusal(await api.as(null).post('account/email-verify', { token }), 410, 'link_invalid');
    assert.equal(at(success(await session.get('account/session')), '/account/email_verified'), true);
  });

  test('a forgotten password is set anew by mail, and ends every session; unknown addresses get the same answer', async () => {
    const credentials = await registered(api);
    const before = await loggedIn(api, credentials);
    const nobody = api.as(null);
    const unknown = freshCredentials().email;
    const answers = await Promise.all(
      [credentials.email, unknown].map((email) => nobody.post('account/password-reset', { email })),
    );
    for (const answer of answers) success(answer);
    assert.equal(at(answers[0]?.body ?? null, '/response'), at(answers[1]?.body ?? null, '/response'));
    const token = await mailedToken(operator, credentials.email, 'reset-password');
    const password = `another ${credentials.password}`;
    const set = (new_password: string) =>
      nobody.post('account/password-reset-confirm', { token, new_password });
    refusal(await set('short'), 422, 'validation_failed');
    success(await set(password));
    refusal(await set(`${password}, once more`), 410, 'link_invalid');
    refusal(await nobody.post('account/login', { ...credentials }), 401, 'credentials_invalid');
    await loggedIn(api, { ...credentials, password });
    await eventually('the end of the old session', async () => {
      const answer = await before.get('account/session');
      return answer.status === 200 ? undefined : refusal(answer, 401, 'token_revoked');
    });
  });

  test('who is invited to read reads, and writes nothing', async () => {
    const owner = await loggedIn(api, await registered(api));
    const invited = freshCredentials();
    const request = { email: invited.email, role: 'readonly' };
    success(await owner.post('account/user-invite', request), invitationShape);
    const listed = success(await owner.get('account/users'), usersShape);
    assert.equal(at(listed, '/invitations/0/email'), invited.email);
    const token = await mailedToken(operator, invited.email, 'accept-invitation');
    const acceptance = { token, first_name: 'Bob', last_name: 'Reader', password: invited.password };
    const nobody = api.as(null);
    const accepted = await Promise.all([1, 2, 3].map(() => nobody.post('account/user-accept', acceptance)));
    assert.equal(accepted.filter((answer) => answer.status === 200).length, 1);
    for (const answer of accepted) if (answer.status !== 200) refusal(answer, 410, 'link_invalid');

    const reader = await loggedIn(api, invited);
    const mine = success(await reader.get('account/session'), sessionShape);
    const theirs = success(await owner.get('account/session'), sessionShape);
    assert.equal(at(mine, '/account/uuid'), at(theirs, '/account/uuid'));
    assert.equal(at(mine, '/account/role'), 'readonly');
    for (const path of ['account/balance', 'account/invoices', 'panel/list', 'server/list', 'task/list']) {
      success(await reader.get(path));
    }
    const pack = await cheapestPackage(api);
    for (const [path, body] of [
      ['account/topup', { amount: 10, method: 'bank' }],
      ['account/save-address', {}],
      ['account/redeem-voucher', { code: 'NOSUCHVOUCHER' }],
      ['account/token-create', { name: 'more', scopes: ['account:read'] }],
      ['account/user-invite', { email: freshCredentials().email, role: 'admin' }],
      ['account/export', {}],
      ['account/webhook-create', { url: 'https://hooks.example.com/', events: ['*'] }],
      ['panel/order', licenseOrder(pack)],
    ] as const) {
      const answer = await reader.post(path, body);
      assert.equal(answer.status, 403, `${path}: ${answer.text}`);
      refusal(answer, 403, 'scope_missing');
    }
    const people = listAt(success(await owner.get('account/users'), usersShape), '/users');
    assert.deepEqual(people.map((one) => at(one, '/role')).toSorted(), ['owner', 'readonly']);
    const uuid = stringAt(people.find((one) => at(one, '/role') === 'readonly') ?? null, '/uuid');
    success(await owner.post('account/user-remove', { uuid }));
    await eventually('the end of their session', async () => {
      const answer = await reader.get('account/balance');
      return answer.status === 200 ? undefined : refusal(answer, 401, 'token_revoked', 'token_invalid');
    });
    refusal(await nobody.post('account/login', { ...invited }), 401, 'credentials_invalid');
  });

  test('an operator in a customer’s place is seen, and may not do what outlasts the visit', async () => {
    const credentials = await registered(api);
    const customer = await loggedIn(api, credentials);
    const account = success(await customer.get('account/session'), sessionShape);
    const desk = await staff(api);
    const begun = success(
      await desk.post('staff/impersonate', {
        customer_uuid: at(account, '/account/uuid'),
        reason: 'a question',
      }),
    );
    const visit = api.as(stringAt(begun, '/token'));
    const session = success(await visit.get('account/session'), sessionShape);
    assert.notEqual(session.impersonated_by, null);
    assert.equal(at(session, '/account/email'), credentials.email);
    for (const [path, body] of [
      ['account/token-create', { name: 'kept', scopes: ['*'] }],
      ['account/password-change', { current_password: 'unknown', new_password: 'a password of mine' }],
      ['account/user-invite', { email: freshCredentials().email, role: 'admin' }],
      ['account/export', {}],
    ] as const) {
      refusal(await visit.post(path, body), 403, 'impersonation_restricted');
    }
    const log = success(await customer.get('account/events', { types: ['account.accessed_by_operator'] }));
    assert.equal(at(log, '/events/0/data/reason'), 'a question');
    refusal(await customer.post('staff/impersonate', {}), 404, 'operation_not_found', 'not_found');
  });
}

async function registered(api: Api): Promise<Credentials> {
  const credentials = freshCredentials();
  success(await register(api.as(null), credentials));
  return credentials;
}

/** What stands after the `#` of the newest link of a kind that somebody was mailed. */
function mailedToken(operator: Operator, email: string, page: string): Promise<string> {
  return eventually(`a mail to ${email}`, async () => {
    const mails = (await operator.mails()).split(/^={20,}$/m);
    const mail = mails.findLast((text) => text.includes(`To: ${email}\n`) && text.includes(`/${page}#`));
    return mail?.match(/#([A-Za-z0-9_-]{20,})/)?.[1];
  });
}
