import { z } from 'zod';
import { money, timestamp, uuid } from '../../api/field.ts';
import { wireAmount } from '../../base/money.ts';
import { type Instant, wireTime, wireTimeOrNull } from '../../base/time.ts';
import { remainingToday, type StoredToken } from '../../business/core/access/token.ts';
import type { Caller } from '../../operation.ts';

/** A token without its secret. */
export const token = z.object({
  uuid,
  name: z.string(),
  type: z.enum(['session', 'api']),
  scopes: z.array(z.string()),
  ip_allowlist: z.array(z.string()).describe('Networks in CIDR notation; empty: from anywhere.'),
  resource_allowlist: z.array(uuid).nullable().describe('null: all that the account has.'),
  spending_limit: z.object({ per_day: money.nullable(), remaining_today: money.nullable() }),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().describe('At most a minute late.'),
});

export function wireToken(stored: StoredToken, now: Instant) {
  const remaining = remainingToday(stored, now);
  return {
    uuid: stored.id,
    name: stored.name,
    type: stored.kind,
    scopes: [...stored.scopes],
    ip_allowlist: [...stored.ip_allowlist],
    resource_allowlist: stored.resource_allowlist === null ? null : [...stored.resource_allowlist],
    spending_limit: {
      per_day: stored.spending_limit === null ? null : wireAmount(stored.spending_limit),
      remaining_today: remaining === null ? null : wireAmount(remaining),
    },
    created_at: wireTime(stored.created_at),
    expires_at: wireTimeOrNull(stored.expires_at),
    last_used_at: wireTimeOrNull(stored.last_used_at),
  };
}

/** Who sees and ends the tokens of everybody in the account. */
export function seesAllTokens(role: Caller['role']): boolean {
  return role === 'owner' || role === 'admin';
}
