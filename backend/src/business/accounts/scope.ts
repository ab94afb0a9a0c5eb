import type { Caller } from '../../operation.ts';

const GROUPS = {
  account: ['read', 'write'],
  domain: ['read', 'write', 'order'],
  server: ['read', 'write', 'order'],
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

/** What a log-in may do, by the role of who logs in; tokens that it makes can do no more. */
export const ROLE_SCOPES: Readonly<Record<Caller['role'], readonly string[]>> = {
  owner: ['*'],
  admin: ['*'],
  billing: ['account:*', ...allOf((group, scope) => group !== 'account' && scope === 'read')],
  technical: ['account:read', ...allOf((group, scope) => group !== 'account' && scope !== 'order')],
  readonly: allOf((_, scope) => scope === 'read'),
  staff: ['*'],
};
