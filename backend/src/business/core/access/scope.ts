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

const OWN = 'account:security';

/** What an operator does at the provider. */
export const STAFF_ROLES = ['support', 'billing', 'technical', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

// read: customers and what they have; tickets: read and answered; impersonate: acting in a customer's place; suspend:
// switching accounts and services off and on; billing: money, discounts, vouchers; technical: back ends, jobs, tasks.
const STAFF = {
  read: 'staff:read',
  tickets: 'staff:tickets',
  impersonate: 'staff:impersonate',
  suspend: 'staff:suspend',
  billing: 'staff:billing',
  technical: 'staff:technical',
} as const;

/** What an operator's token can have. */
export const STAFF_SCOPES: readonly string[] = ['*', 'staff:*', ...Object.values(STAFF)];

/** What an operator's log-in may do until it has a second factor: set one up. */
export const SECOND_FACTOR_SCOPES: readonly string[] = ['account:read', OWN];

/** What an operator's log-in may do. */
export const STAFF_ROLE_SCOPES: Readonly<Record<StaffRole, readonly string[]>> = {
  support: [...SECOND_FACTOR_SCOPES, STAFF.read, STAFF.tickets, STAFF.impersonate],
  billing: [...SECOND_FACTOR_SCOPES, STAFF.read, STAFF.tickets, STAFF.suspend, STAFF.billing],
  technical: [
    ...SECOND_FACTOR_SCOPES,
    STAFF.read,
    STAFF.tickets,
    STAFF.impersonate,
    STAFF.suspend,
    STAFF.technical,
  ],
  admin: ['*'],
};

type CustomerRole = Exclude<Caller['role'], 'staff'>;

/** What a customer's log-in may do, by the role of who logs in; tokens that it makes can do no more. */
export const ROLE_SCOPES: Readonly<Record<CustomerRole, readonly string[]>> = {
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
};

/** The scopes that a customer's person of this role can give a token: what {@link ROLE_SCOPES} allows, one by one. */
export function scopesWithin(role: Caller['role']): readonly string[] {
  if (role === 'staff') return [];
  return SCOPES.filter((scope) => hasScope(ROLE_SCOPES[role], scope));
}

/**
 * What an operator may do in a customer's place: no reading of license keys and passwords. Operations on the account's
 * security refuse them besides, and secrets in answers are left out (wire/impersonation.ts).
 */
export const IMPERSONATION_SCOPES: readonly string[] = allOf(
  (_, scope) => scope !== 'read_key' && scope !== 'read_password',
);
