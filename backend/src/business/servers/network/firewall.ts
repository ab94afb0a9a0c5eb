import { z } from 'zod';
import { OPEN, WantedFirewall } from '../../../base/firewall.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { Transaction } from '../../../db/transaction.ts';

/** The job that has a server's machine let through what its customer wants, and the type of its task. */
export const FIREWALL = 'server.firewall';

/** What a server lets through, by its customer's wish; counted by the changes that there were. */
export interface ServerFirewall extends WantedFirewall {
  readonly version: number;
}

const Row = WantedFirewall.extend({ version: z.int() });

const load = statement<{ rules: unknown; policyIn: string; policyOut: string; version: number }>(
  'load_firewall',
  `SELECT rules, policy_in AS "policyIn", policy_out AS "policyOut", version
   FROM server_firewalls WHERE server_id = $1`,
);
const save = statement<object>(
  'save_firewall',
  `INSERT INTO server_firewalls AS f (server_id, policy_in, policy_out, rules, version)
   VALUES ($1, $2, $3, $4::jsonb, 2)
   ON CONFLICT (server_id) DO UPDATE SET policy_in = excluded.policy_in, policy_out = excluded.policy_out,
     rules = excluded.rules, version = f.version + 1`,
);

/** One that was never changed lets everything through. */
export async function firewallOf(db: Executor, serverId: string): Promise<ServerFirewall> {
  const [row] = await db.run(load, [serverId]);
  return row === undefined ? { ...OPEN, version: 1 } : Row.parse(row);
}

export async function firewallChanged(
  tx: Transaction,
  serverId: string,
  { rules, policyIn, policyOut }: WantedFirewall,
): Promise<void> {
  await tx.run(save, [serverId, policyIn, policyOut, JSON.stringify(rules)]);
}
