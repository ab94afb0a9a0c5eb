import type { AcceptedFee, DomainRef, RegisteredDomain, RegistryOutcome } from '../port.ts';
import type { EppCommand } from './command.ts';
import { type FoundDomain, ownDomain, told } from './domain.ts';
import { acceptedFee } from './fee.ts';
import { done, ensured, Refused } from './refusal.ts';
import { command, type EppRegistry, needed } from './registry.ts';
import { dateTime } from './wire/date-time.ts';
import { type Element, writer } from './wire/element.ts';

const domain = writer('domain');
const rgp = writer('rgp');

/** What RFC 3915 §4.2.5 has a registrar state; a restore always has one cause here. */
const REASON = 'The registrant asked for it.';
const STATEMENTS = [
  'This registrar has not restored the registered name in order to assume the rights to use or sell it for itself or for any third party.',
  'The information in this report is true to the best of this registrar’s knowledge.',
];

type Wanted = DomainRef & { readonly fee: AcceptedFee };

/** Asks for it and reports why, whichever of the two is missing. */
export async function restoreDomain(
  registry: EppRegistry,
  wanted: Wanted,
): Promise<RegistryOutcome<RegisteredDomain>> {
  const before = await ownDomain(registry, wanted);
  const asked = await ensured(
    () => unless(isInRedemption, registry, wanted),
    () => request(registry, wanted),
  );
  if (asked.kind !== 'done') return asked;
  const waitsForReport = ({ statuses }: FoundDomain) =>
    statuses.includes('pendingRestore') && registry.profileOf(wanted.tld).restoreReport;
  const restored = await ensured(
    () => unless(waitsForReport, registry, wanted),
    () => report(registry, wanted, before, asked.result),
  );
  if (restored.kind !== 'done') return restored;
  if (isLeaving(restored.result))
    throw new Refused('state_conflict', `the redemption of ${wanted.domain} is over`);
  return done(told(restored.result));
}

async function unless(
  isOpen: (found: FoundDomain) => boolean,
  registry: EppRegistry,
  wanted: Wanted,
): Promise<FoundDomain | null> {
  const found = await ownDomain(registry, wanted);
  return isOpen(found) ? null : found;
}

async function request(registry: EppRegistry, wanted: Wanted): Promise<RegistryOutcome<FoundDomain>> {
  await command(registry, wanted, (uses) => {
    needed(uses, 'rgp');
    if (wanted.fee !== null) needed(uses, 'fee');
    const fee = acceptedFee('update', wanted.fee);
    const restore = rgp('update', rgp('restore', null, { op: 'request' }));
    return restoreCommand(wanted, fee === null ? [restore] : [restore, fee]);
  });
  return done(await ownDomain(registry, wanted));
}

/** The last changes that the registry tells of are the deletion, before the request, and the request, after it. */
async function report(
  registry: EppRegistry,
  wanted: Wanted,
  deleted: FoundDomain,
  asked: FoundDomain,
): Promise<RegistryOutcome<FoundDomain>> {
  const now = registry.clock.now();
  const registration = `${asked.domain}, registrant ${asked.registrant ?? 'unknown'}`;
  const parts = rgp('report', [
    rgp('preData', registration),
    rgp('postData', registration),
    rgp('delTime', dateTime(deleted.updatedAt ?? deleted.createdAt ?? now)),
    rgp('resTime', dateTime(asked.updatedAt ?? now)),
    rgp('resReason', REASON),
    ...STATEMENTS.map((statement) => rgp('statement', statement)),
  ]);
  const restore = rgp('update', rgp('restore', parts, { op: 'report' }));
  await command(registry, wanted, () => restoreCommand(wanted, [restore]));
  return done(await ownDomain(registry, wanted));
}

function isLeaving({ statuses }: FoundDomain): boolean {
  return statuses.includes('pendingDelete') && !statuses.includes('pendingRestore');
}

function isInRedemption({ statuses }: FoundDomain): boolean {
  return statuses.includes('redemptionPeriod') && !statuses.includes('pendingRestore');
}

/** The command itself changes nothing: RFC 3915 wants an empty change beside the extension. */
function restoreCommand(ref: DomainRef, extensions: readonly Element[]): EppCommand {
  return {
    name: 'domain restore',
    verb: 'update',
    content: [domain('update', [domain('name', ref.domain), domain('chg')])],
    extensions,
  };
}
