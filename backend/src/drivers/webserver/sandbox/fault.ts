import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../outcome.ts';

export type SandboxCommand =
  | 'ensure_site'
  | 'ensure_site_suspended'
  | 'ensure_site_absent'
  | 'ensure_database'
  | 'ensure_database_absent'
  | 'ensure_certificate'
  | 'ensure_backup'
  | 'ensure_backup_absent'
  | 'ensure_restored'
  | 'site_status'
  | 'site_logs'
  | 'site_usage'
  | 'site_list';

/**
 * slow: takes `delayMs` longer. timeout_before, timeout_after: no answer comes, before or after the effect.
 * refuse: the answer is no. repeat: the command arrives twice.
 */
export type FaultKind = 'slow' | 'timeout_before' | 'timeout_after' | 'refuse' | 'repeat';

export interface Fault {
  readonly fault: FaultKind;
  readonly delayMs: number;
}

/** What a call is about. */
export interface CallScope {
  readonly host: string;
  readonly webspaceId: string | null;
}

const plan = statement<object>(
  'sandbox_plan_site_fault',
  'INSERT INTO sandbox.faults (command, fault, server_id) VALUES ($1, $2, $3::uuid)',
);

// A web host is its own node: an outage of it is one of the node with its name.
const take = statement<{ fault: FaultKind | null; delay_ms: number | null; host_is_out: boolean }>(
  'sandbox_take_site_fault',
  `WITH taken AS (
     UPDATE sandbox.faults SET remaining = remaining - 1
     WHERE id = (SELECT id FROM sandbox.faults
                 WHERE command = $1 AND remaining > 0
                   AND (host IS NULL OR host = $2) AND (server_id IS NULL OR server_id = $3::uuid)
                 ORDER BY id LIMIT 1 FOR UPDATE)
     RETURNING fault, delay_ms)
   SELECT (SELECT fault FROM taken) AS fault, (SELECT delay_ms FROM taken) AS delay_ms,
          EXISTS (SELECT FROM sandbox.outages WHERE host = $2 AND node = $2) AS host_is_out`,
);

/** Makes the next call of a command about a webspace go wrong, in whatever process it is made. */
export async function planFault(
  db: Executor,
  fault: { readonly command: SandboxCommand; readonly fault: FaultKind; readonly webspaceId: string },
): Promise<void> {
  await db.run(plan, [fault.command, fault.fault, fault.webspaceId]);
}

/** The fault that this call is to meet, counted off; null: none. Throws BackendUnavailable when the host is out. */
export async function takeFault(
  db: Executor,
  command: SandboxCommand,
  { host, webspaceId }: CallScope,
): Promise<Fault | null> {
  const [row] = await db.run(take, [command, host, webspaceId]);
  if (row?.host_is_out === true)
    throw new BackendUnavailable('sandbox', new Error(`${host} is out of reach`));
  return row === undefined || row.fault === null ? null : { fault: row.fault, delayMs: row.delay_ms ?? 0 };
}
