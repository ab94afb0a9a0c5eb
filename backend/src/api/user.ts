import { z } from 'zod';
import { hasScope } from '../base/scope.ts';
import { wireTime } from '../base/time.ts';
import { ROLE_SCOPES } from '../business/core/access/scope.ts';
import type { InvitedRole } from '../business/core/people/mailed-link.ts';
import type { User } from '../business/core/people/user.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import { timestamp, uuid } from './field.ts';

/** What can be given to others: an account has one owner, who is nobody's to make. */
export const invitedRole = z.enum(['admin', 'billing', 'technical', 'readonly']);

export const userState = z.enum(['active', 'disabled']);

export const user = z.object({
  uuid,
  email: z.string(),
  email_verified: z.boolean(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(['owner', ...invitedRole.options]),
  state: userState,
  two_factor: z.boolean(),
  created_at: timestamp,
});

export const invitation = z.object({
  uuid,
  email: z.string(),
  role: invitedRole,
  created_at: timestamp,
  expires_at: timestamp,
});

export function wireUser(found: User) {
  const { role } = found;
  if (role === 'staff') throw new Error('an operator belongs to no account');
  return {
    uuid: found.id,
    email: found.email,
    email_verified: found.email_verified_at !== null,
    first_name: found.first_name,
    last_name: found.last_name,
    role,
    state: found.state,
    two_factor: found.totp_confirmed_at !== null,
    created_at: wireTime(found.created_at),
  };
}

/** Refuses to give a role that may do what the caller's token may not: nobody gets at more through others. */
export function demandScopesOf(
  ctx: {
    readonly caller: { readonly scopes: readonly string[] };
    refusal(code: 'scope_missing', detail: RefusalDetail): Refusal;
  },
  role: InvitedRole,
): void {
  const lacking = ROLE_SCOPES[role].find((scope) => !hasScope(ctx.caller.scopes, scope));
  if (lacking !== undefined) throw ctx.refusal('scope_missing', { members: { required_scope: lacking } });
}

/** Refuses to change the owner, and whoever asks: nobody raises themselves, or locks themselves out. */
export function demandChangeable(
  ctx: { readonly caller: { readonly userId: string }; refusal(code: 'person_protected'): Refusal },
  found: User,
): void {
  if (found.role === 'owner' || found.id === ctx.caller.userId) throw ctx.refusal('person_protected');
}
