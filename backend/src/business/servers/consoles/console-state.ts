/** Why a console ended, as its session keeps it and as it is told to who looked at it. */
export type EndReason =
  /** By who looked at it. */
  | 'closed'
  | 'machine_off'
  /** By a machine that goes on. */
  | 'machine_closed'
  | 'time_over'
  /** What it was asked for with is revoked or over, or the person may not come in any more. */
  | 'access_ended'
  | 'suspended'
  | 'service_ended'
  /** The other side of the connection does not answer. */
  | 'viewer_lost'
  | 'not_rfb'
  /** The hypervisor does not answer, or not as it should. */
  | 'backend_unavailable'
  /** The process that carried it was stopped, */
  | 'restart'
  /** could not see any more whether it may go on, */
  | 'unsupervised'
  /** or is gone without a word. */
  | 'lost';

/**
 * SQL: why the session `c` may not go on at the moment `$2`, or null. Of its token `t`, the token's user `u` and, where
 * somebody acts in a customer's place, the operator `o`; of the service `s` and its server `v`.
 */
export const WHY_NOT = `CASE
  WHEN t.revoked_at IS NOT NULL OR t.expires_at <= $2 OR u.state <> 'active' OR o.state <> 'active'
    THEN 'access_ended'
  WHEN EXISTS (SELECT FROM suspensions p WHERE p.service_id = s.id) THEN 'suspended'
  WHEN s.account_id <> c.account_id OR s.state NOT IN ('active', 'cancel_scheduled') THEN 'service_ended'
  WHEN v.wanted_power = 'stopped' AND v.power_state = 'stopped' THEN 'machine_off'
END`;

/** SQL: what {@link WHY_NOT} needs, joined to `c`. */
export const STANDING = `JOIN tokens t ON t.id = c.token_id JOIN users u ON u.id = t.user_id
  LEFT JOIN users o ON o.id = t.impersonated_by
  JOIN services s ON s.id = c.server_id JOIN servers v ON v.id = s.id`;
