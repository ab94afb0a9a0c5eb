import type { WantedDomain } from '../port.ts';
import type { DomainCommands, DomainInfo } from './commands.ts';
import { differenceOf } from './difference.ts';
import type { Reply } from './reply.ts';

const LOCK = 'clientUpdateProhibited';

/** Changes what differs. `info` is the domain as it is now, if it is ours; otherwise the registry says why not. */
export async function updateDomain(
  domain: DomainCommands,
  info: DomainInfo | null,
  wanted: WantedDomain,
): Promise<Reply<unknown>> {
  const { domain: name } = wanted;
  const change = (info === null ? null : differenceOf(info, wanted)) ?? { name };
  if (info === null || !info.statuses.includes(LOCK)) return await domain.update(change);
  // RFC 5731 §2.3: nothing but this status can be changed while it is set. It goes first, and is set again at last.
  const kept = wanted.statuses?.includes(LOCK) !== false;
  const unlocked = await domain.update({ name, removeStatuses: [LOCK] });
  if (!unlocked.ok) return unlocked;
  const left = change.removeStatuses?.filter((status) => status !== LOCK) ?? [];
  const changed = await domain.update({ ...change, removeStatuses: left });
  if (kept || !changed.ok) await domain.update({ name, addStatuses: [LOCK] });
  return changed;
}
