import { hasScope } from '../../../base/scope.ts';
import type { Caller } from '../../../operation.ts';

const GROUPS = {
  // security: one's own password, second factor and address; users: other people of the account.
  account: ['read', 'write', 'security', 'users'],
  // transfer: what lets somebody else have a domain.
  domain: ['read', 'write', 'order', 'transfer'],
  // console: the screen and the keyboard of a machine, which may be logged in.
  // read_password: the log-in that a machine began with.
  server: ['read', 'read_password', 'write', 'order', 'console'],
  webspace: ['read', 'write', 'order'],
  panel: ['read', 'read_key', 'write', 'order'],
  ticket: ['read', 'write'],
  tools: ['read'],
  task: ['read'],
} as const;

const allOf = (choose: (group: string, scope: string) => boolean): string[] =>
  Object.entries(GROUPS).flatMap(([group, scopes]) =>
    scopes.filter((scope) => choose(group, scope)).map((scope) => `${group}:${scope}`),
  );

/** Every scope that a customer's token can have: single ones, a group's (`panel:*`), and all (`*`). */
export const SCOPES: readonly string[] = [
  '*',
  ...Object.keys(GROUPS).map((group) => `${group}:*`),
  ...allOf(() => true),
];

/** What an operator's token can have. */
export const STAFF_SCOPES: readonly string[] = ['*', 'staff:*', 'staff:read', 'staff:write'];

const OWN = 'account:security';

/** What a log-in may do, by the role of who logs in; tokens that it makes can do no more. */
export const ROLE_SCOPES: Readonly<Record<Caller['role'], readonly string[]>> = {
  owner: ['*'],
  admin: ['*'],
  billing: [
    'account:read',
    'account:write',
    OWN,
    ...allOf((group, scope) => group !== 'account' && scope === 'read'),
  ],
  technical: [
    'account:read',
    OWN,
    ...allOf((group, scope) => group !== 'account' && scope !== 'order' && scope !== 'transfer'),
  ],
  readonly: [OWN, ...allOf((_, scope) => scope === 'read')],
  staff: ['*'],
};

/** The scopes that someone of this role can give a token: what {@link ROLE_SCOPES} allows, one by one. */
export function scopesWithin(role: Caller['role']): readonly string[] {
  return SCOPES.filter((scope) => hasScope(ROLE_SCOPES[role], scope));
}

/**
 * What an operator may do in a customer's place: no reading of license keys and passwords. Operations on the account's
 * security refuse them besides, and secrets in answers are left out (wire/impersonation.ts).
 */
export const IMPERSONATION_SCOPES: readonly string[] = allOf(
  (_, scope) => scope !== 'read_key' && scope !== 'read_password',
);
