import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../outcome.ts';

export type SandboxCommand =
  | 'ensure_machine'
  | 'ensure_power'
  | 'ensure_shutdown'
  | 'ensure_rebooted'
  | 'ensure_password'
  | 'ensure_resized'
  | 'ensure_reach'
  | 'ensure_firewall'
  | 'ensure_medium'
  | 'ensure_rescue'
  | 'ensure_snapshot'
  | 'ensure_backup'
  | 'ensure_restored'
  | 'ensure_absent'
  | 'list'
  | 'status'
  | 'console'
  | 'metrics'
  | 'capacity'
  | 'probe';

/**
 * slow: takes `delayMs` longer. timeout_before, timeout_after: no answer comes, before or after the effect.
 * refuse: the answer is no. repeat: the command arrives twice. pending: it goes on, without an effect yet.
 */
export type FaultKind = 'slow' | 'timeout_before' | 'timeout_after' | 'refuse' | 'repeat' | 'pending';

export interface Fault {
  readonly fault: FaultKind;
  readonly delayMs: number;
}

/** What is to go wrong, how often, and with which machines; without host and server, with any. */
export interface FaultPlan {
  readonly command: SandboxCommand;
  readonly fault: FaultKind;
  readonly times?: number;
  readonly delayMs?: number;
  readonly host?: string;
  readonly serverId?: string;
}

/** What a call is about. */
export interface CallScope {
  readonly host: string;
  readonly node: string | null;
  readonly serverId: string | null;
}

const plan = statement<object>(
  'sandbox_plan_fault',
  `INSERT INTO sandbox.faults (command, fault, remaining, delay_ms, host, server_id)
   VALUES ($1, $2, $3, $4, $5, $6::uuid)`,
);

const take = statement<{ fault: FaultKind | null; delay_ms: number | null; node_is_out: boolean }>(
  'sandbox_take_fault',
  `WITH taken AS (
     UPDATE sandbox.faults SET remaining = remaining - 1
     WHERE id = (SELECT id FROM sandbox.faults
                 WHERE command = $1 AND remaining > 0
                   AND (host IS NULL OR host = $2) AND (server_id IS NULL OR server_id = $4::uuid)
                 ORDER BY id LIMIT 1 FOR UPDATE)
     RETURNING fault, delay_ms)
   SELECT (SELECT fault FROM taken) AS fault, (SELECT delay_ms FROM taken) AS delay_ms,
          EXISTS (SELECT FROM sandbox.outages WHERE host = $2 AND node = $3) AS node_is_out`,
);

/** Makes the next calls go wrong, in whatever process they are made. */
export async function planFault(db: Executor, fault: FaultPlan): Promise<void> {
  await db.run(plan, [
    fault.command,
    fault.fault,
    fault.times ?? 1,
    fault.delayMs ?? 0,
    fault.host ?? null,
    fault.serverId ?? null,
  ]);
}

/** The fault that this call is to meet, counted off; null: none. Throws BackendUnavailable when the node is out. */
export async function takeFault(
  db: Executor,
  command: SandboxCommand,
  scope: CallScope,
): Promise<Fault | null> {
  const [row] = await db.run(take, [command, scope.host, scope.node, scope.serverId]);
  if (row?.node_is_out === true)
    throw new BackendUnavailable('sandbox', new Error(`${scope.node} is out of reach`));
  return row === undefined || row.fault === null ? null : { fault: row.fault, delayMs: row.delay_ms ?? 0 };
}
