import { BackendUnavailable } from '../../outcome.ts';
import type { RegistryOutcome, RegistryRefusal } from '../port.ts';
import { refusalOf } from './refusal.ts';
import type { Reply } from './reply.ts';

/**
 * Rule F4: looks whether what is wanted is there already, commands it if not, and looks again, also after a failure: a
 * command whose answer was lost, or that arrived twice, is found out about and never given again.
 * `look` answers null while it is not there; `command` gives a refusal where it does not come to commanding.
 */
export async function ensure<Result extends object>(
  look: () => Promise<Result | null>,
  command: () => Promise<Reply<unknown> | RegistryRefusal>,
): Promise<RegistryOutcome<Result>> {
  const present = await look();
  if (present !== null) return { kind: 'done', result: present };
  const reply = await command();
  if (typeof reply === 'string') return { kind: 'refused', reason: reply };
  const result = await look();
  if (result !== null) return { kind: 'done', result };
  if (!reply.ok) return { kind: 'refused', reason: refusalOf(reply) };
  throw new BackendUnavailable('sandbox', new Error('it was done, but is not there'));
}
