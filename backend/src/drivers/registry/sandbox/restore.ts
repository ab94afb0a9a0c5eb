import type { Instant } from '../../../base/time.ts';
import type { AcceptedFee } from '../port.ts';
import type { DomainCommands, DomainInfo } from './commands.ts';
import type { Reply } from './reply.ts';

/** RFC 3915 §4.2.5 wants these of a registrar. */
const REASON = 'The registrant asked for it.';
const STATEMENT = 'The domain was not restored to sell it, and the information given is true.';

/** Asks for it and reports why. `deleted` is the domain as it is now, if it is ours; otherwise the registry says why not. */
export async function restoreDomain(
  domain: DomainCommands,
  deleted: DomainInfo | null,
  name: string,
  fee: AcceptedFee,
): Promise<Reply<unknown>> {
  const asked = await domain.requestRestore(name, fee);
  if (deleted === null) return asked;
  const waiting = await domain.info(name);
  // A failure may be that of a request that stands already, and waits for its report.
  if (!waiting.ok || !waiting.data.grace.includes('pendingRestore')) return asked;
  const [deletedAt, restoredAt] = [changedAt(deleted), changedAt(waiting.data)];
  return await domain.reportRestore({ name, deletedAt, restoredAt, reason: REASON, statements: [STATEMENT] });
}

function changedAt({ updatedAt, createdAt }: DomainInfo): Instant {
  return updatedAt ?? createdAt;
}
