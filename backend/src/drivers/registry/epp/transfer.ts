import type {
  DomainRef,
  RegistryOutcome,
  RegistryTransfer,
  TransferStatus,
  WantedTransfer,
} from '../port.ts';
import type { EppCommand } from './command.ts';
import { authInfo, findDomain, period } from './domain.ts';
import { acceptedFee } from './fee.ts';
import { done, ensured, Refused, refusalOf } from './refusal.ts';
import { happenedSince } from './register.ts';
import { ask, command, type EppRegistry, needed } from './registry.ts';
import { readInstant } from './wire/date-time.ts';
import { type Element, textOf, writer } from './wire/element.ts';
import { dataOf } from './wire/response.ts';

const domain = writer('domain');

type Operation = 'query' | 'request' | 'cancel' | 'approve' | 'reject';

/** RFC 5730 §2.9.3.4. */
const STATUSES: Readonly<Record<string, TransferStatus>> = {
  pending: 'pending',
  clientApproved: 'approved',
  serverApproved: 'approved',
  clientRejected: 'rejected',
  clientCancelled: 'cancelled',
  serverCancelled: 'cancelled',
};

/** What registries answer about transfers that there are none of, or that are none of our business. */
const NO_TRANSFER: ReadonlySet<number> = new Set([2201, 2202, 2301, 2303]);

/** The last transfer that the registry tells us of. */
export async function findTransfer(
  registry: EppRegistry,
  ref: DomainRef,
  authcode?: string,
): Promise<RegistryTransfer | null> {
  const code = authcode === undefined ? null : authInfo(authcode);
  const response = await ask(registry, ref, () => transferCommand('query', ref, [code]));
  if (NO_TRANSFER.has(response.code)) return null;
  if (response.code >= 2000) throw refusalOf(response);
  return readTransfer(dataOf(response, 'domain', 'trnData'), registry.clientId);
}

/** Asks for it once: a request of ours that stands, or was answered since the order, is what was wanted. */
export async function requestTransfer(
  registry: EppRegistry,
  wanted: WantedTransfer,
): Promise<RegistryOutcome<RegistryTransfer>> {
  return await ensured(
    async () => (await standing(registry, wanted)) ?? (await arrived(registry, wanted)),
    () => request(registry, wanted),
  );
}

async function standing(registry: EppRegistry, wanted: WantedTransfer): Promise<RegistryTransfer | null> {
  const last = await findTransfer(registry, wanted);
  if (!last?.requestedHere) return null;
  return last.status === 'pending' || happenedSince(last.requestedAt, wanted.since) ? last : null;
}

/** Registries that transfer at once may know nothing of a transfer afterwards; the domain tells when it came. */
async function arrived(registry: EppRegistry, wanted: WantedTransfer): Promise<RegistryTransfer | null> {
  const found = await findDomain(registry, wanted, wanted.authcode);
  if (!found?.sponsoredHere) return null;
  const at = found.transferredAt;
  if (at === null || !happenedSince(at, wanted.since))
    throw new Refused('state_conflict', `${wanted.domain} is here already`);
  return { domain: wanted.domain, status: 'approved', requestedHere: true, requestedAt: at, actAt: at };
}

async function request(
  registry: EppRegistry,
  wanted: WantedTransfer,
): Promise<RegistryOutcome<RegistryTransfer>> {
  const response = await command(
    registry,
    wanted,
    (uses) => {
      if (wanted.fee !== null) needed(uses, 'fee');
      const fee = acceptedFee('transfer', wanted.fee);
      const parts = [wanted.years === null ? null : period(wanted.years), authInfo(wanted.authcode)];
      return { ...transferCommand('request', wanted, parts), extensions: fee === null ? [] : [fee] };
    },
    'transfer_locked',
  );
  return done(readTransfer(dataOf(response, 'domain', 'trnData'), registry.clientId));
}

/** Takes back a request of ours, or answers somebody else's; without one there is nothing to do. */
export async function endTransfer(
  registry: EppRegistry,
  ref: DomainRef,
  operation: 'cancel' | 'approve' | 'reject',
): Promise<RegistryOutcome<null>> {
  const last = await findTransfer(registry, ref);
  if (last?.status !== 'pending' || last.requestedHere !== (operation === 'cancel')) return done(null);
  const response = await ask(registry, ref, () => transferCommand(operation, ref, []));
  if (response.code >= 2000 && response.code !== 2301) throw refusalOf(response, 'state_conflict');
  return done(null);
}

export function readTransfer(data: Element | null, clientId: string): RegistryTransfer {
  const text = (name: string) => textOf(data, 'domain', name);
  const status = STATUSES[text('trStatus') ?? ''];
  const name = text('name');
  const requestedAt = readInstant(text('reDate'));
  const actAt = readInstant(text('acDate'));
  if (status === undefined || name === null || requestedAt === null || actAt === null)
    throw new Error('what the registry says of a transfer cannot be understood');
  return { domain: name.toLowerCase(), status, requestedHere: text('reID') === clientId, requestedAt, actAt };
}

function transferCommand(
  operation: Operation,
  ref: DomainRef,
  parts: readonly (Element | null)[],
): EppCommand {
  return {
    name: `domain transfer ${operation}`,
    verb: 'transfer',
    attributes: { op: operation },
    content: [domain('transfer', [domain('name', ref.domain), ...parts])],
    extensions: [],
  };
}
