import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import type { CommandOutcome } from '../../outcome.ts';
import type { MachineRef, WantedRescue } from '../port.ts';
import { MISSING } from './medium.ts';
import { hashLogin } from './password.ts';

interface Rescued {
  readonly power: string;
  readonly rescued: boolean;
}

// What is as it is wanted already changes nothing, and nothing changes while the machine is on.
const begin = statement<Rescued>(
  'sandbox_rescue',
  `WITH machine AS (
     SELECT power, rescue_id IS NOT DISTINCT FROM $2::uuid AS rescued FROM sandbox.machines WHERE server_id = $1),
   changed AS (
     UPDATE sandbox.machines SET rescue_id = $2, rescue_image = $3, rescue_ssh_keys = $4, rescue_login_hash = $5,
       rescue_files = '{}'
     WHERE server_id = $1 AND EXISTS (SELECT FROM machine WHERE power = 'stopped' AND NOT rescued))
   SELECT power, rescued FROM machine`,
);

/** Has a machine that is off start from another system, or from its own again (null). */
export async function changeRescue(
  db: Executor,
  { serverId }: MachineRef,
  wanted: WantedRescue | null,
): Promise<CommandOutcome<null>> {
  if (wanted?.image === MISSING) return { kind: 'refused', reason: 'there is no such image' };
  const { rescueId = null, image = null, sshKeys = [], username = '', password = null } = wanted ?? {};
  const hash = password === null ? null : await hashLogin(username, password);
  const [row] = await db.run(begin, [serverId, rescueId, image, sshKeys, hash]);
  if (row === undefined) return { kind: 'refused', reason: 'there is no such machine' };
  if (!row.rescued && row.power !== 'stopped') return { kind: 'refused', reason: 'the machine is on' };
  return { kind: 'done', result: null };
}
