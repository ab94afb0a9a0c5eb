import { randomUUID } from 'node:crypto';
import { planFault } from '../../src/drivers/hypervisor/sandbox/fault.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { Call, Harness } from '../harness.ts';
import type { Prepare } from './case.ts';

const OPEN_ONE = `INSERT INTO console_sessions (id, server_id, account_id, user_id, token_id, request_id, ip, began_at,
    limit_at, seen_at)
  SELECT gen_random_uuid(), $1, $2, $3, $4, $4, '192.0.2.1', $5, $5, $5 FROM generate_series(1, 4)`;

// In the books too, or the reconciler would find a difference.
const SWITCH_OFF = `WITH machine AS (
    UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1)
  UPDATE servers SET wanted_power = 'stopped', power_state = 'stopped' WHERE id = $1`;

/** Every error of what opens a server's console; `onServer` calls it with a server that runs. */
export function consoleRefusals(onServer: Prepare): { readonly [Code in ErrorCode]?: Prepare } {
  const changed =
    (change: (harness: Harness, uuid: string, call: Call) => Promise<unknown>): Prepare =>
    async (harness) => {
      const call = await onServer(harness);
      await change(harness, (call.input as { uuid: string }).uuid, call);
      return call;
    };
  return {
    not_found: async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID() } }),
    state_conflict: changed(({ pool }, uuid) =>
      pool.pg.query("UPDATE services SET state = 'cancelled' WHERE id = $1", [uuid]),
    ),
    server_not_running: changed(({ pool }, uuid) => pool.pg.query(SWITCH_OFF, [uuid])),
    backend_unavailable: changed(({ pool }, uuid) =>
      planFault(pool, { command: 'status', fault: 'timeout_before', serverId: uuid }),
    ),
    console_limit_reached: changed(({ pool, clock }, uuid, { as }) =>
      pool.pg.query(OPEN_ONE, [uuid, as?.accountId, as?.userId, as?.tokenId, clock.now().toString()]),
    ),
  };
}
