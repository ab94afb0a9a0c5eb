import { randomBytes, randomUUID } from 'node:crypto';
import { type AttemptLimit, attempt } from '../../src/business/core/access/attempt.ts';
import { LIMITS } from '../../src/business/core/access/limits.ts';
import { hashPassword } from '../../src/business/core/access/password.ts';
import type { MailSecrets } from '../../src/business/notifications/mail/template.ts';
import { authenticator } from '../authenticator.ts';
import type { Call, Caller, Harness } from '../harness.ts';
import { mailedToken } from '../mailed.ts';
import type { Cases, OperationCases, Prepare } from './case.ts';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'incorrect zebra dynamo clip';
export const WRONG_CODE = '000000';
const hashed = hashPassword(PASSWORD);
const PAYOUT = { iban: 'DE89 3704 0044 0532 0130 00', account_holder: 'Test Customer' };

type Owner = Caller & { readonly accountId: string; readonly email: string };

/** The owner of a new account, with a password. */
async function owner(harness: Harness): Promise<Owner> {
  const caller = await harness.customer();
  const { rows } = await harness.pool.pg.query<{ email: string }>(
    'UPDATE users SET password_hash = $2 WHERE id = $1 RETURNING email',
    [caller.userId, await hashed],
  );
  return { ...caller, email: rows[0]?.email ?? '' };
}

/** With a second factor, of whose codes the present one and the next are still good. */
export async function guarded(harness: Harness) {
  const as = await owner(harness);
  const { secret } = await harness.data('account/two-factor-setup', { as, input: { password: PASSWORD } });
  const app = authenticator(secret, harness.clock);
  await harness.data('account/two-factor-confirm', { as, input: { code: app.code(-1) } });
  return { as, app };
}

const address = () => `${randomBytes(8).toString('hex')}@example.com`;

async function mailed(harness: Harness, template: keyof MailSecrets, email: string): Promise<string> {
  return await mailedToken({ pool: harness.pool, sealer: harness.installation.sealer }, template, email);
}

async function resetLink(harness: Harness, { email }: Owner): Promise<string> {
  await harness.data('account/password-reset', { as: null, input: { email }, headers: elsewhere() });
  return await mailed(harness, 'account.password-reset', email);
}

/** They have shown that the address is theirs. */
async function proved(harness: Harness, person: Owner): Promise<Owner> {
  await harness.pool.pg.query('UPDATE users SET email_verified_at = created_at WHERE id = $1', [
    person.userId,
  ]);
  return person;
}

/** The link that makes an address the caller's. */
async function changeLink(harness: Harness, as: Owner, email: string): Promise<string> {
  await harness.data('account/email-change', { as, input: { email, password: PASSWORD } });
  return await mailed(harness, 'account.email-verification', email);
}

async function invited(harness: Harness, as: Owner, role = 'technical') {
  const email = address();
  const { uuid } = await harness.data('account/user-invite', { as, input: { email, role } });
  return { uuid: String(uuid), email, token: await mailed(harness, 'account.invitation', email) };
}

const accepting = (token: string) => ({
  token,
  first_name: 'Grace',
  last_name: 'Hopper',
  password: PASSWORD,
});

async function member(harness: Harness, as: Owner): Promise<string> {
  const { token } = await invited(harness, as);
  const call = { as: null, input: accepting(token), headers: elsewhere() };
  return (await harness.data('account/user-accept', call)).uuid;
}

let places = 0;
/** From an address where nobody else is. */
function elsewhere() {
  places += 1;
  return { 'x-forwarded-for': `2001:db8:${places.toString(16)}::1` };
}

/** Tries until these limits let nobody through. */
export async function useUp({ pool, clock }: Harness, limits: readonly AttemptLimit[]): Promise<void> {
  while ((await attempt(pool, limits, clock.now())) === null);
}

/** No more codes may be guessed for this person. */
export async function codesUsedUp(harness: Harness, userId: string): Promise<void> {
  await useUp(harness, LIMITS.code(userId, '127.0.0.1', null).slice(-1));
}

/** The call while something else holds all accounts. */
export async function whileLocked(harness: Harness, call: Call): Promise<Call> {
  const impatient = await harness.impatient();
  return {
    ...call,
    on: {
      async call(operation, given) {
        const client = await harness.pool.pg.connect();
        try {
          await client.query('BEGIN');
          await client.query('SELECT FROM accounts FOR UPDATE');
          return await impatient.call(operation, given);
        } finally {
          await client.query('ROLLBACK');
          client.release();
        }
      },
    },
  };
}

const asOwner =
  (input: Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await owner(harness), input });

/** What asks for password and code, called with this beside them. */
function withBoth(input: Record<string, unknown>, passwordField: string): OperationCases['refuses'] {
  const right = { ...input, [passwordField]: PASSWORD };
  return {
    password_invalid: asOwner({ ...input, [passwordField]: 'guess' }),
    two_factor_required: async (harness) => ({ as: (await guarded(harness)).as, input: right }),
    two_factor_invalid: async (harness) => ({
      as: (await guarded(harness)).as,
      input: { ...right, code: WRONG_CODE },
    }),
    rate_limited: async (harness) => {
      const as = await owner(harness);
      await codesUsedUp(harness, as.userId);
      return { as, input: { ...right, code: WRONG_CODE } };
    },
  };
}

/** What asks for a code, of who has a second factor and who has not. */
function withCode(input: Record<string, unknown>): OperationCases {
  return {
    succeeds: async (harness) => {
      const { as, app } = await guarded(harness);
      return { as, input: { ...input, code: app.code() } };
    },
    refuses: {
      two_factor_invalid: async (harness) => ({
        as: (await guarded(harness)).as,
        input: { ...input, code: WRONG_CODE },
      }),
      state_conflict: asOwner({ ...input, code: WRONG_CODE }),
      rate_limited: async (harness) => {
        const { as, app } = await guarded(harness);
        await codesUsedUp(harness, as.userId);
        return { as, input: { ...input, code: app.code() } };
      },
    },
  };
}

const disabling = withCode({ password: PASSWORD });

/** What lets somebody else in, asked for by a session: of who has a second factor it needs a code. */
export function ownCode(
  input: Record<string, unknown> | ((harness: Harness, as: Owner) => Promise<Record<string, unknown>>),
): OperationCases['refuses'] {
  const asked = async (harness: Harness, code: { code?: string }) => {
    const { as } = await guarded(harness);
    const given = typeof input === 'function' ? await input(harness, as) : input;
    return { as: await harness.tokenOf(as, { kind: 'session' }), input: { ...given, ...code } };
  };
  return {
    two_factor_required: async (harness) => await asked(harness, {}),
    two_factor_invalid: async (harness) => await asked(harness, { code: WRONG_CODE }),
    rate_limited: async (harness) => {
      const call = await asked(harness, { code: WRONG_CODE });
      await codesUsedUp(harness, call.as.userId);
      return call;
    },
  };
}

/** What lets somebody in who stays, asked for by a session: of who has no second factor it needs the password. */
export function ownPassword(
  input: Record<string, unknown> | ((harness: Harness, as: Owner) => Promise<Record<string, unknown>>),
): OperationCases['refuses'] {
  const asked =
    (password: { password?: string }): Prepare =>
    async (harness) => {
      const as = await owner(harness);
      const given = typeof input === 'function' ? await input(harness, as) : input;
      return { as: await harness.tokenOf(as, { kind: 'session' }), input: { ...given, ...password } };
    };
  return { password_required: asked({}), password_invalid: asked({ password: 'guess' }) };
}

/** What happens to a person of the caller's account. */
function onMember(input: Record<string, unknown>): OperationCases {
  return {
    succeeds: async (harness) => {
      const as = await owner(harness);
      return { as, input: { uuid: await member(harness, as), ...input } };
    },
    refuses: {
      not_found: asOwner({ uuid: randomUUID(), ...input }),
      person_protected: async (harness) => {
        const as = await owner(harness);
        return { as, input: { uuid: as.userId, ...input } };
      },
    },
  };
}

const narrow = async (harness: Harness, as: Owner) =>
  await harness.tokenOf(as, { scopes: ['account:users'] });

/** How people get in, and who they are: the part of `account` that guards it. */
export const people: Cases = {
  'account/two-factor-setup': {
    succeeds: asOwner({ password: PASSWORD }),
    refuses: {
      password_invalid: asOwner({ password: 'guess' }),
      state_conflict: async (harness) => ({
        as: (await guarded(harness)).as,
        input: { password: PASSWORD },
      }),
      rate_limited: async (harness) => {
        const as = await owner(harness);
        await useUp(harness, LIMITS.password(as.userId));
        return { as, input: { password: PASSWORD } };
      },
    },
  },
  'account/two-factor-confirm': {
    succeeds: async (harness) => {
      const as = await owner(harness);
      const input = { password: PASSWORD };
      const { secret } = await harness.data('account/two-factor-setup', { as, input });
      return { as, input: { code: authenticator(secret, harness.clock).code() } };
    },
    refuses: {
      state_conflict: asOwner({ code: WRONG_CODE }),
      two_factor_invalid: async (harness) => {
        const as = await owner(harness);
        await harness.data('account/two-factor-setup', { as, input: { password: PASSWORD } });
        return { as, input: { code: WRONG_CODE } };
      },
      rate_limited: async (harness) => {
        const as = await owner(harness);
        await codesUsedUp(harness, as.userId);
        return { as, input: { code: WRONG_CODE } };
      },
    },
  },
  'account/two-factor-disable': {
    ...disabling,
    refuses: {
      ...disabling.refuses,
      password_invalid: async (harness) => {
        const { as, app } = await guarded(harness);
        return { as, input: { password: 'guess', code: app.code() } };
      },
    },
  },
  'account/recovery-codes': withCode({}),
  'account/password-change': {
    succeeds: asOwner({ current_password: PASSWORD, new_password: NEW_PASSWORD }),
    refuses: {
      ...withBoth({ new_password: NEW_PASSWORD }, 'current_password'),
      validation_failed: asOwner({ current_password: PASSWORD, new_password: 'abababababab' }),
    },
  },
  'account/close': {
    succeeds: async (harness) => {
      const as = await owner(harness);
      return { as, input: { password: PASSWORD, payout: PAYOUT } };
    },
    refuses: {
      ...withBoth({ payout: PAYOUT }, 'password'),
      owner_only: async (harness) => {
        const as = await owner(harness);
        await harness.pool.pg.query("UPDATE users SET role = 'admin' WHERE id = $1", [as.userId]);
        return { as, input: { password: PASSWORD } };
      },
      state_conflict: async (harness) => {
        const as = await owner(harness);
        await harness.pool.pg.query("UPDATE accounts SET state = 'closed' WHERE id = $1", [as.accountId]);
        return { as, input: { password: PASSWORD } };
      },
      closing_blocked: asOwner({ password: PASSWORD }),
    },
  },
  'account/password-reset': {
    succeeds: async () => ({ as: null, input: { email: address() }, headers: elsewhere() }),
    refuses: {
      rate_limited: async (harness) => {
        const [email, headers] = [address(), elsewhere()];
        await useUp(harness, LIMITS.reset(email, headers['x-forwarded-for']));
        return { as: null, input: { email }, headers };
      },
    },
  },
  'account/password-reset-confirm': {
    succeeds: async (harness) => {
      const token = await resetLink(harness, await owner(harness));
      return { as: null, input: { token, new_password: NEW_PASSWORD } };
    },
    refuses: {
      link_invalid: async () => ({ as: null, input: { token: 'made-up', new_password: NEW_PASSWORD } }),
      validation_failed: async (harness) => {
        const token = await resetLink(harness, await owner(harness));
        return { as: null, input: { token, new_password: 'abababababab' } };
      },
      two_factor_required: async (harness) => {
        const token = await resetLink(harness, await proved(harness, (await guarded(harness)).as));
        return { as: null, input: { token, new_password: NEW_PASSWORD } };
      },
      two_factor_invalid: async (harness) => {
        const token = await resetLink(harness, await proved(harness, (await guarded(harness)).as));
        return { as: null, input: { token, new_password: NEW_PASSWORD, code: WRONG_CODE } };
      },
      rate_limited: async (harness) => {
        const as = await owner(harness);
        const token = await resetLink(harness, as);
        await codesUsedUp(harness, as.userId);
        return { as: null, input: { token, new_password: NEW_PASSWORD, code: WRONG_CODE } };
      },
      resource_locked: async (harness) => {
        const token = await resetLink(harness, await owner(harness));
        return await whileLocked(harness, { as: null, input: { token, new_password: NEW_PASSWORD } });
      },
    },
  },
  'account/email-verify': {
    succeeds: async (harness) => {
      const token = await changeLink(harness, await owner(harness), address());
      return { as: null, input: { token } };
    },
    refuses: {
      link_invalid: async () => ({ as: null, input: { token: 'made-up' } }),
      already_exists: async (harness) => {
        const { email } = await owner(harness);
        return { as: null, input: { token: await changeLink(harness, await owner(harness), email) } };
      },
      resource_locked: async (harness) => {
        const token = await changeLink(harness, await owner(harness), address());
        return await whileLocked(harness, { as: null, input: { token } });
      },
    },
  },
  'account/email-verification-resend': {
    succeeds: asOwner({}),
    refuses: {
      state_conflict: async (harness) => {
        const as = await owner(harness);
        await harness.pool.pg.query('UPDATE users SET email_verified_at = created_at WHERE id = $1', [
          as.userId,
        ]);
        return { as };
      },
      rate_limited: async (harness) => {
        const as = await owner(harness);
        await useUp(harness, LIMITS.verification(as.userId));
        return { as };
      },
    },
  },
  'account/email-change': {
    succeeds: async (harness) => ({
      as: await owner(harness),
      input: { email: address(), password: PASSWORD },
    }),
    refuses: {
      ...withBoth({ email: 'wanted@example.org' }, 'password'),
      validation_failed: async (harness) => {
        const as = await owner(harness);
        return { as, input: { email: as.email, password: PASSWORD } };
      },
    },
  },
  'account/users': { succeeds: asOwner({}), refuses: {} },
  'account/user-invite': {
    succeeds: async (harness) => ({ as: await owner(harness), input: { email: address(), role: 'billing' } }),
    refuses: {
      ...ownCode({ email: 'grace@example.org', role: 'billing' }),
      ...ownPassword({ email: 'grace@example.org', role: 'admin' }),
      already_exists: async (harness) => {
        const as = await owner(harness);
        return { as, input: { email: as.email, role: 'billing' } };
      },
      scope_missing: async (harness) => ({
        as: await narrow(harness, await owner(harness)),
        input: { email: address(), role: 'admin' },
      }),
      rate_limited: async (harness) => {
        const as = await owner(harness);
        await useUp(harness, LIMITS.invitation(as.accountId));
        return { as, input: { email: address(), role: 'billing' } };
      },
    },
  },
  'account/user-accept': {
    succeeds: async (harness) => {
      const { token } = await invited(harness, await owner(harness));
      return { as: null, input: accepting(token), headers: elsewhere() };
    },
    refuses: {
      link_invalid: async () => ({ as: null, input: accepting('made-up'), headers: elsewhere() }),
      validation_failed: async (harness) => {
        const { token } = await invited(harness, await owner(harness));
        return {
          as: null,
          input: { ...accepting(token), password: 'abababababab' },
          headers: elsewhere(),
        };
      },
      already_exists: async (harness) => {
        const { email } = await owner(harness);
        const as = await owner(harness);
        await harness.data('account/user-invite', { as, input: { email, role: 'billing' } });
        const token = await mailed(harness, 'account.invitation', email);
        return { as: null, input: accepting(token), headers: elsewhere() };
      },
      rate_limited: async (harness) => {
        const headers = elsewhere();
        await useUp(harness, LIMITS.accept(headers['x-forwarded-for']));
        return { as: null, input: accepting('made-up'), headers };
      },
      resource_locked: async (harness) => {
        const { token } = await invited(harness, await owner(harness));
        return await whileLocked(harness, { as: null, input: accepting(token), headers: elsewhere() });
      },
    },
  },
  'account/user-update': {
    ...onMember({ role: 'readonly' }),
    refuses: {
      ...onMember({ role: 'readonly' }).refuses,
      ...ownCode(async (harness, as) => ({ uuid: await member(harness, as), role: 'admin' })),
      ...ownPassword(async (harness, as) => ({ uuid: await member(harness, as), role: 'admin' })),
      scope_missing: async (harness) => {
        const as = await owner(harness);
        const input = { uuid: await member(harness, as), role: 'admin' };
        return { as: await narrow(harness, as), input };
      },
    },
  },
  'account/user-remove': onMember({}),
  'account/invitation-revoke': {
    succeeds: async (harness) => {
      const as = await owner(harness);
      return { as, input: { uuid: (await invited(harness, as)).uuid } };
    },
    refuses: { not_found: asOwner({ uuid: randomUUID() }) },
  },
};

/** Log-ins that stop at the second factor. */
export const guardedLogin: OperationCases['refuses'] = {
  two_factor_required: async (harness) => {
    const { email } = (await guarded(harness)).as;
    return { as: null, input: { email, password: PASSWORD }, headers: elsewhere() };
  },
  two_factor_invalid: async (harness) => {
    const { email } = (await guarded(harness)).as;
    return { as: null, input: { email, password: PASSWORD, code: WRONG_CODE }, headers: elsewhere() };
  },
};
